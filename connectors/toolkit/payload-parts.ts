import { z } from "zod";

/** An id that platforms send as a number or a text; a text from here on. */
export const idText = z.union([z.int().transform(String), z.string().min(1)]);

/** A text that some answers leave out; null then. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

/** A yes or no that some answers leave out; null then. */
export const optionalFlag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? null);
