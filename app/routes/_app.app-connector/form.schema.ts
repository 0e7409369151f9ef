import { z } from "zod";
import { REGIONS } from "#core/kernel/platform-id.ts";

/** What the wizard sends when it goes to the provider. */
export const connectFormSchema = z.object({
  platform: z.string().min(1),
  region: z.enum(REGIONS, { error: "Choose a region first." }),
});
