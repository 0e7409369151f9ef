import { z } from "zod";
import { limitsItems } from "#core/billing/index.ts";
import { listAllConnections, listStorageRegions } from "#core/connections/index.ts";
import { countProtectedItems } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canUse, type Member } from "#core/organisations/index.ts";
import { platformMoney, refreshPayments } from "#core/payments/index.ts";
import { listRemovedHoldings } from "#core/removals/index.ts";
import { findStorageSummary } from "#core/replicas/index.ts";
import { totalSeats } from "#core/seats/index.ts";
import type { AccessServices } from "#core/services.ts";
import { type Api, mountRoute } from "../../mount-route.ts";
import { platformStatusAnswer } from "../../payment-answers.ts";
import { statusRow } from "./status-row.ts";
import { tag } from "./words.ts";

/** Trial and subscription of all platforms, and of each (spec part 3 section 7). */
export function mountStatuses(api: Api, platforms: readonly string[]): void {
  mountRoute(api, {
    method: "GET",
    path: "/payments/get-platforms-trial-statuses",
    summary: "Trial and subscription of every platform",
    tag,
    input: z.strictObject({}),
    result: z.record(z.string(), platformStatusAnswer),
    handle: async (s, m) => ({ result: Object.fromEntries(await statusesOf(s, m)) }),
  });
  mountRoute(api, {
    method: "POST",
    path: "/payments/get-platforms-trial-statuses",
    summary: "The same, after the payment provider was asked; for screens that wait for a change",
    tag,
    input: z.strictObject({}),
    result: z.record(z.string(), platformStatusAnswer),
    handle: async (s, m) => {
      await refreshPayments(s, m.organisationId);
      return { result: Object.fromEntries(await statusesOf(s, m)) };
    },
  });
  for (const platform of platforms) {
    // The POST form is polled after subscribing (spec B-239): it asks the payment provider first.
    for (const method of ["GET", "POST"] as const) {
      mountRoute(api, {
        method,
        path: `/payments/get-${platform}-trial-status`,
        summary: "Trial and subscription of the platform",
        tag,
        input: z.strictObject({}),
        result: platformStatusAnswer,
        refuses: ["err.role.forbidden", "err.not.found"],
        handle: async (s, m) => {
          if (!canUse(m, platform)) throw new AppError("err.role.forbidden");
          if (method === "POST") await refreshPayments(s, m.organisationId);
          const found = (await statusesOf(s, m)).get(platform);
          if (!found) throw new AppError("err.not.found");
          return { result: found };
        },
      });
    }
  }
}

async function statusesOf(s: AccessServices, m: Member): Promise<Map<string, ReturnType<typeof statusRow>>> {
  const platforms = [...s.connectors.keys()].filter((platform) => canUse(m, platform));
  const money = await platformMoney(s, m.organisationId, platforms);
  const removed = await listRemovedHoldings(s, m.organisationId);
  const connections = await listAllConnections(s, m);
  const counts = await countProtectedItems(s, m, connections);
  const storage = await findStorageSummary(s, m.organisationId);
  const regions = await listStorageRegions(s, m);
  const connected = new Set(connections.map(({ platform }) => platform));
  return new Map(
    platforms.flatMap((platform) => {
      const found = money.get(platform);
      const descriptor = s.connectors.get(platform)?.descriptor;
      if (!found || !descriptor) return [];
      const isCopied = storage?.platforms.includes(platform) ?? false;
      const row = statusRow({
        platform,
        label: descriptor.label,
        kind: descriptor.itemKinds[0]?.id ?? "item",
        money: found,
        removed: removed.get(platform) ?? null,
        added: counts.get(platform) ?? 0,
        ...(limitsItems(platform)
          ? {}
          : { users: totalSeats(connections.filter((each) => each.platform === platform)).count }),
        isConnected: connected.has(platform),
        now: s.clock.now(),
        place: {
          s3_region: regions.get(platform),
          cloud_storages: isCopied && storage ? [storage.kind] : [],
          isConnectionActive: isCopied && storage?.isActive === true,
        },
      });
      return [[platform, row] as const];
    }),
  );
}
