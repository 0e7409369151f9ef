import * as z from "zod/mini";

const count = z.number();

/** The answer of `user/get-cloud-storages`, as the screens use it. */
export const storageOverviewSchema = z.object({
  storages: z.array(
    z.object({
      cloudStorageName: z.string(),
      name: z.string(),
      details: z.record(z.string(), z.string()),
      isActive: z.boolean(),
      trouble: z.nullable(z.object({ text: z.string(), since: z.number() })),
      connectedAt: z.number(),
      canDisconnect: z.boolean(),
    }),
  ),
  platforms: z.record(
    z.string(),
    z.object({
      storage: z.array(z.string()),
      canChange: z.boolean(),
      isOnPlan: z.boolean(),
      stored: count,
      waiting: count,
      failed: count,
      sizeBytes: count,
      lastStoredAt: z.nullable(z.number()),
    }),
  ),
  failed: z.array(
    z.object({
      platform: z.string(),
      itemId: z.string(),
      itemName: z.string(),
      snapshotId: z.string(),
      takenAt: z.number(),
      text: z.string(),
      nextTryAt: z.nullable(z.number()),
    }),
  ),
});

/** The connected storage, what is copied there and what failed. */
export type StorageOverview = z.output<typeof storageOverviewSchema>;

/** The connected storage. */
export type ConnectedStorage = StorageOverview["storages"][number];
