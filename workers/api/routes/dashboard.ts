import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import { canUse } from "#core/organisations/index.ts";
import { getOverview, type Overview, type PlatformOverview } from "#core/overview/index.ts";
import type { Uses } from "#core/services.ts";
import { kindName } from "../kind-names.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { wireText } from "../wire-fields.ts";

const tag = "Dashboard";

const dayAnswer = z.object({
  date: z.string(),
  state: z.enum(["good", "retried", "failed", "missed", "paused", "none", "running", "expired"]),
  versions: z.int().min(0),
  isRestored: z.boolean(),
  succeeded: z.int().min(0),
  failing: z.int().min(0),
});

const activityAnswer = z.object({
  id: z.string(),
  itemId: z.string(),
  name: z.string().nullable(),
  platform: z.string(),
  type: z.enum(["backup", "restore", "export"]),
  status: z.enum(["queued", "running", "succeeded", "failed"]),
  date: z.int(),
});

const amount = z.object({ allItems: z.int().min(0), backupedItems: z.int().min(0) });

/** A platform with several kinds of items has an amount for each. */
const itemsCountAnswer = z.record(z.string(), z.union([amount, z.record(z.string(), amount)]));

const platformAnswer = z.object({
  platform: z.string(),
  accounts: z.array(
    z.object({ id: z.string(), name: z.string(), region: z.string(), isRevoked: z.boolean() }),
  ),
  counts: z.object({
    all: z.int().min(0),
    fresh: z.int().min(0),
    older: z.int().min(0),
    never: z.int().min(0),
    paused: z.int().min(0),
    deleted: z.int().min(0),
  }),
  kinds: z.array(z.object({ kind: z.string(), all: z.int().min(0), backedUp: z.int().min(0) })),
  days: z.array(dayAnswer),
  lastBackup: z.object({ name: z.string(), at: z.int() }).nullable(),
  activity: z.array(activityAnswer),
  todayCount: z.int().min(0),
});

/** The dashboard's calls (spec part 3 section 7). */
export function mountDashboard(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/user/dashboard",
    summary: "How the platforms are protected: counts, days, and what needs attention",
    tag,
    input: z.strictObject({}),
    result: z.object({
      platforms_items_count: itemsCountAnswer,
      platforms: z.array(platformAnswer),
      attention: z.array(
        z.object({
          id: z.string(),
          platform: z.string(),
          connectionId: z.string(),
          name: z.string(),
          kind: z.enum(["failed", "stale", "deleted"]),
          reason: z.string().nullable(),
          lastBackupAt: z.int().nullable(),
        }),
      ),
      stored: z.object({
        bytes: z.int().min(0),
        days: z.array(z.object({ date: z.string(), bytes: z.int().min(0) })),
        regions: z.array(z.string()),
      }),
      storage: z.object({ kind: z.string(), isActive: z.boolean() }).nullable(),
      now: z.int(),
    }),
    handle: async (s, m) => {
      const overview = await getOverview(s, m);
      return { result: { platforms_items_count: itemsCount(s, overview), ...overview } };
    },
  });
  mountRoute(api, {
    method: "GET",
    path: "/user/get-platforms-items-amount",
    summary: "Number of protected items per platform, and of those with a version",
    tag,
    input: z.strictObject({}),
    result: z.object({ platforms_items_count: itemsCountAnswer }),
    handle: async (s, m) => ({ result: { platforms_items_count: itemsCount(s, await getOverview(s, m)) } }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/user/dashboard/recent-activity",
    summary: "The newest backups, restores and ZIPs of a platform",
    tag,
    input: z.strictObject({ platform: wireText(50).min(1) }),
    result: z.array(activityAnswer),
    refuses: ["err.platform.unknown", "err.role.forbidden"],
    handle: async (s, m, { platform }) => {
      if (!s.connectors.has(platform)) throw new AppError("err.platform.unknown");
      if (!canUse(m, platform)) throw new AppError("err.role.forbidden");
      const { platforms } = await getOverview(s, m, { platform });
      return { result: platforms[0]?.activity ?? [] };
    },
  });
}

/** The amounts of every platform (spec part 3 section 3, "Dashboard"). */
function itemsCount({ connectors }: Uses<"connectors">, { platforms }: Overview) {
  return Object.fromEntries(
    platforms.map((each) => {
      const kinds = connectors.get(each.platform)?.descriptor.itemKinds ?? [];
      return [
        each.platform,
        amountsOf(
          each,
          kinds.map(({ id }) => id),
        ),
      ];
    }),
  );
}

/** A platform with several kinds of items has an amount for each, under its plural. */
function amountsOf({ counts, kinds: counted }: PlatformOverview, kinds: readonly string[]) {
  const ofKind = (id: string) => {
    const row = counted.find(({ kind }) => kind === id);
    return { allItems: row?.all ?? 0, backupedItems: row?.backedUp ?? 0 };
  };
  if (kinds.length < 2) return { allItems: counts.all, backupedItems: counts.all - counts.never };
  return Object.fromEntries(kinds.map((id) => [kindName(id), ofKind(id)]));
}
