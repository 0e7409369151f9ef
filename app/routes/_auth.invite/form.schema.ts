import * as z from "zod/mini";
import { accountFields } from "#app/routes/_auth/account-form.schema.ts";

/** Longest code that a link can bring. */
const CODE_MAX_LENGTH = 200;

/** What somebody invited fills in; the email comes from the link and is checked as any other (spec ). */
export const inviteFormSchema = z.object({
  ...accountFields,
  code: z
    .string({ error: "required" })
    .check(
      z.trim(),
      z.minLength(1, "required"),
      z.maxLength(CODE_MAX_LENGTH, `max_length${CODE_MAX_LENGTH}`),
    ),
});
export type InviteForm = z.output<typeof inviteFormSchema>;
