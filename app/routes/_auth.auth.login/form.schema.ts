import { z } from "zod";
import { emailSchema, signInSchema } from "#core/accounts/password.schema.ts";

/** The sign-in form; a ticked checkbox arrives as "on". */
export const loginFormSchema = z.object({
  email: emailSchema,
  password: signInSchema.shape.password,
  rememberMe: z
    .string()
    .optional()
    .transform((value) => value === "on"),
  next: z.string().optional(),
});

/** Longest company domain (spec A-337). */
const DOMAIN_MAX_LENGTH = 25;

/** The company domain of an enterprise sign-in; which one is accepted is the server's to say (spec A-338). */
export const domainSchema = z
  .string({ error: "required" })
  .trim()
  .min(1, "required")
  .max(DOMAIN_MAX_LENGTH, `max_length${DOMAIN_MAX_LENGTH}`)
  .transform((text) => text.toLowerCase());
