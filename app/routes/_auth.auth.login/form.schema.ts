import * as z from "zod/mini";
import { emailSchema, signInSchema } from "#core/accounts/password.schema.ts";

/** The sign-in form. A checked checkbox has the value "on". */
export const loginFormSchema = z.object({
  email: emailSchema,
  password: signInSchema.shape.password,
  rememberMe: z.pipe(
    z.optional(z.string()),
    z.transform((value) => value === "on"),
  ),
  next: z.optional(z.string()),
});

/** Maximum length of a company domain (spec A-337). */
const DOMAIN_MAX_LENGTH = 25;

/** The company domain of an enterprise sign-in. The server decides which domain it accepts (spec A-338). */
export const domainSchema = z
  .string({ error: "required" })
  .check(
    z.trim(),
    z.minLength(1, "required"),
    z.maxLength(DOMAIN_MAX_LENGTH, `max_length${DOMAIN_MAX_LENGTH}`),
    z.toLowerCase(),
  );
