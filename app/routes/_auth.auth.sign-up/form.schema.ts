import { z } from "zod";
import { emailSchema, newPasswordSchema, personNameSchema } from "#core/accounts/password.schema.ts";

/** The sign-up form. First and last name become one name, which the account bounds to 50 characters. */
export const signUpFormSchema = z
  .object({
    firstName: personNameSchema,
    lastName: personNameSchema,
    email: emailSchema,
    password: newPasswordSchema,
  })
  .refine(({ firstName, lastName }) => firstName.length + lastName.length < 50, {
    path: ["lastName"],
    message: "max_length50",
  });
