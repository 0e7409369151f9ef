import { z } from "zod";
import { emailSchema } from "../password.schema.ts";

/** Some providers write truth as text. */
const truth = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);
const word = z.string().optional().catch(undefined);

/**
 * What is read of a provider's claims (OpenID Connect Core section 5.1). Only the subject must be there: a person
 * who is already known needs no e-mail, and a malformed one counts as none.
 */
export const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.optional(emailSchema).catch(undefined),
  email_verified: truth.optional().catch(false),
  given_name: word,
  family_name: word,
  name: word,
  /** Google: the domain of the Workspace that the account belongs to. */
  hd: word,
});
export type Claims = z.output<typeof claimsSchema>;
