import { emailSchema, newPasswordSchema, personNameSchema } from "#core/accounts/password.schema.ts";

/** The fields of every form that creates an account, validated like on the server (spec part 1 section 5). */
export const accountFields = {
  firstName: personNameSchema,
  lastName: personNameSchema,
  email: emailSchema,
  password: newPasswordSchema,
};
