import * as z from "zod/mini";
import { holdsLink, holdsUnseen } from "#core/kernel/name-rules.ts";

/** Maximum length of an organisation's name (spec part 1 section 5). */
export const ORGANISATION_NAME_MAX_LENGTH = 100;

/**
 * The name of an organisation, validated the same way in browser and server. The messages are the specification's where
 * it gives one.
 */
export const organisationNameSchema = z.string({ error: "This field is required" }).check(
  z.trim(),
  z.minLength(1, "This field is required"),
  z.maxLength(ORGANISATION_NAME_MAX_LENGTH, `Max length is ${ORGANISATION_NAME_MAX_LENGTH}`),
  z.refine((text) => !holdsLink(text), "This name holds a link"),
  z.refine((text) => !holdsUnseen(text), "This name holds characters that are not allowed"),
);
