import * as z from "zod/mini";
import { emailSchema, mailedCodeSchema, newPasswordSchema } from "#core/accounts/password.schema.ts";

/** The first step: the account's e-mail address. */
export const askFormSchema = z.object({ email: emailSchema });

/** The second step: the e-mailed code and the new password. */
export const changeFormSchema = z.object({ code: mailedCodeSchema, password: newPasswordSchema });
