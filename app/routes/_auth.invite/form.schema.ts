import * as z from "zod/mini";
import { accountFields } from "#app/routes/_auth/account-form.schema.ts";

/** Maximum length of a code in a link. */
const CODE_MAX_LENGTH = 200;

/**
 * The form of an invited user. The e-mail comes from the link and is validated like any other (spec ).
 */
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
