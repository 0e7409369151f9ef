import { z } from "zod";
import { signInSchema } from "#core/accounts/password.schema.ts";

/** The sign-in form; a ticked checkbox arrives as "on". */
export const loginFormSchema = signInSchema.extend({
  rememberMe: z
    .string()
    .optional()
    .transform((value) => value === "on"),
  next: z.string().optional(),
});
