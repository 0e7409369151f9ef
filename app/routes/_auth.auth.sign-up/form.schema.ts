import * as z from "zod/mini";
import { signUpCopy as copy } from "#app/copy/auth.ts";
import { accountFields } from "#app/routes/_auth/account-form.schema.ts";
import { APPS_TO_PROTECT } from "./apps-to-protect.ts";

const ids = APPS_TO_PROTECT.map(({ id }) => id) as [string, ...string[]];

/** The sign-up form. Selected apps are a list (spec ). */
export const signUpFormSchema = z.object({
  ...accountFields,
  apps: z.array(z.enum(ids), { error: copy.chooseApp }).check(z.minLength(1, copy.chooseApp)),
});
export type SignUpForm = z.output<typeof signUpFormSchema>;
