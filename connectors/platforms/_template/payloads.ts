import { z } from "zod";

/** What the platform sends, parsed at the border; fields that are not named are dropped. */
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
export const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z
    .string()
    .nullish()
    .transform((token) => token ?? null),
  expires_in: z.number().positive(),
});
export type Board = z.output<typeof boardSchema>;
