import { z } from "zod";

/** Longest name of an organisation (spec part 1 section 5). */
export const ORGANISATION_NAME_MAX_LENGTH = 100;

/** Control characters and lone surrogates never belong into a name: it goes out in our e-mails. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** The name of an organisation, checked alike in browser and server; the sentences are the spec's. */
export const organisationNameSchema = z
  .string({ error: "This field is required" })
  .trim()
  .min(1, "This field is required")
  .max(ORGANISATION_NAME_MAX_LENGTH, `Max length is ${ORGANISATION_NAME_MAX_LENGTH}`)
  .refine((text) => !UNPRINTABLE.test(text), "This name holds characters that are not allowed");
