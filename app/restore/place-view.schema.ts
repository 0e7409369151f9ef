import * as z from "zod/mini";

/** A place as the API returns it (`PlaceView`). */
export const placeViewSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  externalId: z.string(),
  name: z.string(),
  type: z.string(),
  isOwn: z.boolean(),
  restores: z.optional(z.enum(["partly", "no"])),
  facts: z.record(z.string(), z.json()),
});
