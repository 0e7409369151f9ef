import { z } from "zod";

/** Building blocks of input schemas. Every text is bounded and well-formed, every number a bounded integer. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: this rejects control characters
const UNWANTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Cs}/u;

/** Text without control characters or lone surrogates. */
export const wireText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => !UNWANTED.test(text), "holds characters that are not allowed");

/**
 * A pasted credential, trimmed. It is sent in a header, so only visible ASCII is allowed (VCHAR, RFC 5234 appendix
 * B.1). Bearer tokens have no other characters (RFC 6750 section 2.1).
 */
export const wireToken = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[\x21-\x7e]*$/, "holds characters that no token has");

/** A path as people or git wrote it. It is only compared, so any character is allowed. */
export const pathText = z
  .string()
  .max(8_192)
  .refine((text) => text.isWellFormed(), "is not well-formed");

/** An optional value; null when absent. */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? null);

/** An id of ours or of a platform. Numbers are taken as a platform's numeric ids. */
export const wireId = z
  .union([wireText(200).min(1), z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)])
  .transform(String);

const integer = (text: string | number) => Number(text);
const digits = z.union([z.number(), z.string().regex(/^[0-9]{1,7}$/)]);

/** Page number, starting at 0. */
export const pageField = digits.transform(integer).pipe(z.number().int().min(0).max(1_000_000)).default(0);

/** Rows per page, 10 by default. */
export const perPageField = digits.transform(integer).pipe(z.number().int().min(1).max(100)).default(10);

/** A flag in JSON, or as text in a query. */
export const flagField = z.union([
  z.boolean(),
  z.enum(["true", "false"]).transform((text) => text === "true"),
]);

/** E-mail addresses as a comma-separated list or a JSON array. May be empty (spec part 1 section 5). */
export const emailsField = z
  .union([wireText(2000), z.array(wireText(200)).max(20)])
  .nullish()
  .transform((value) =>
    (Array.isArray(value) ? value : (value ?? "").split(","))
      .map((address) => address.replace(/\s/g, ""))
      .filter((address) => address !== ""),
  )
  .pipe(z.array(z.email("Invalid email format").max(50)).max(20));

/** An id, or an object `{id, …}` as in the spec's lists. */
export const idOrObject = z.union([wireId, z.object({ id: wireId }).transform(({ id }) => id)]);

/** Answers to a connector's questions, by their names. */
export const answersField = z.record(
  wireText(50),
  z.union([z.boolean(), wireText(2_000), z.record(wireText(200), wireText(200).nullable())]),
);

/** Matches of entities of a version with those of the target, by names. An id on the left may be a number. */
export const matchesField = z
  .array(
    z.object({
      backedUp: z.object({
        matchId: z
          .union([wireText(200), z.number().int().transform(String)])
          .nullish()
          .transform((id) => id || undefined),
        name: wireText(300),
      }),
      restored: z.object({ name: wireText(300) }),
    }),
  )
  .max(1_000);

/** Selects one of several connected accounts; absent = the only one, or the oldest. */
export const accountField = wireId.nullish();
