import { z } from "zod";

/** Schemas of the platform's responses. Parsing drops fields that a schema does not list. */
export const boardSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? null),
  isPrivate: z.boolean(),
});
export const boardsSchema = z.array(boardSchema);
export const cardSchema = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  position: z.number(),
});
export const cardsSchema = z.array(cardSchema);
export const accountSchema = z.object({ id: z.string(), name: z.string() });
export type Board = z.output<typeof boardSchema>;
