import * as z from "zod/mini";
import { holdsLink, holdsUnseen } from "#core/kernel/name-rules.ts";

/** Longest name of an organisation (spec part 1 section 5). */
export const ORGANISATION_NAME_MAX_LENGTH = 100;

/** The name of an organisation, checked alike in browser and server; the sentences are the spec's where it gives one. */
export const organisationNameSchema = z.string({ error: "This field is required" }).check(
  z.trim(),
  z.minLength(1, "This field is required"),
  z.maxLength(ORGANISATION_NAME_MAX_LENGTH, `Max length is ${ORGANISATION_NAME_MAX_LENGTH}`),
  z.refine((text) => !holdsLink(text), "This name holds a link"),
  z.refine((text) => !holdsUnseen(text), "This name holds characters that are not allowed"),
);
