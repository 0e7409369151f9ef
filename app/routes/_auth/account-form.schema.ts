import { emailSchema, newPasswordSchema, personNameSchema } from "#core/accounts/password.schema.ts";

/** What everybody says who gets an account, checked as the server does (spec part 1 section 5). */
export const accountFields = {
  firstName: personNameSchema,
  lastName: personNameSchema,
  email: emailSchema,
  password: newPasswordSchema,
};
