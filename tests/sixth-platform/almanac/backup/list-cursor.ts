import { z } from "zod";

/** How far a list was read: Almanac's cursor behind the last page, and how many members came before it. */
export const cursorSchema = z.strictObject({ next: z.string(), done: z.number() });
