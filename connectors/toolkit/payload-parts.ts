import { z } from "zod";

/** An id that platforms send as a number or a string; parsed to a string. */
export const idText = z.union([z.int().transform(String), z.string().min(1)]);

/** A string that some responses omit; null when missing. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

/** A boolean that some responses omit; null when missing. */
export const optionalFlag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? null);
