import * as z from "zod/mini";
import { REGIONS } from "#core/kernel/platform-id.ts";

/** What the wizard sends when it goes to the provider. */
export const connectFormSchema = z.object({
  platform: z.string().check(z.minLength(1)),
  region: z.enum(REGIONS, { error: "Choose a region first." }),
  /** Another account takes the place of the connected one. */
  change: z.optional(z.literal("true")),
});
