import { z } from "zod";
import { emailSchema } from "../password.schema.ts";

/** Some providers send booleans as strings. */
const truth = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);
const word = z.string().optional().catch(undefined);

/**
 * The claims read from a provider (OpenID Connect Core section 5.1). Only the subject is required: a known person needs
 * no e-mail, and a malformed one counts as missing.
 */
export const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.optional(emailSchema).catch(undefined),
  email_verified: truth.optional().catch(false),
  given_name: word,
  family_name: word,
  name: word,
  /** Google: the Workspace domain of the account. */
  hd: word,
});
export type Claims = z.output<typeof claimsSchema>;
