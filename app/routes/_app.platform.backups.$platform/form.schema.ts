import * as z from "zod/mini";

/** Asks for the address from which one version can be cloned. */
export const cloneFormSchema = z.object({
  intent: z.literal("clone"),
  itemId: z.string().check(z.minLength(1)),
  snapshotId: z.string().check(z.minLength(1)),
});
