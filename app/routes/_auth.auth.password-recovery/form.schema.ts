import * as z from "zod/mini";
import { emailSchema, mailedCodeSchema, newPasswordSchema } from "#core/accounts/password.schema.ts";

/** The first step: whose password. */
export const askFormSchema = z.object({ email: emailSchema });

/** The second step: the code of the mail and the new password. */
export const changeFormSchema = z.object({ code: mailedCodeSchema, password: newPasswordSchema });
