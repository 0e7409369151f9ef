import { z } from "zod";
import {
  emailSchema,
  mailedCodeSchema,
  newPasswordSchema,
  personNameSchema,
} from "#core/accounts/password.schema.ts";

/** What somebody invited fills in; the email comes from the link and is checked as any other (spec ). */
export const inviteFormSchema = z.object({
  email: emailSchema,
  code: mailedCodeSchema,
  password: newPasswordSchema,
  firstName: personNameSchema,
  lastName: personNameSchema,
});
export type InviteForm = z.output<typeof inviteFormSchema>;
