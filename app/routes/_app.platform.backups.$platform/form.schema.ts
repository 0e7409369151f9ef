import { z } from "zod";

/** Asks for the address from which one version can be cloned. */
export const cloneFormSchema = z.object({
  intent: z.literal("clone"),
  itemId: z.string().min(1),
  snapshotId: z.string().min(1),
});
