import * as z from "zod/mini";

/** Requests the clone URL of one version. */
export const cloneFormSchema = z.object({
  intent: z.literal("clone"),
  itemId: z.string().check(z.minLength(1)),
  snapshotId: z.string().check(z.minLength(1)),
});
