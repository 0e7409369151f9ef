import { z } from "zod";
import type { HistoryRow } from "#core/backups/views.ts";
import { regionNamed, STORAGE_REGION_NAMES } from "#core/connections/index.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import type { CoreOperations } from "../operations.ts";
import type { ApiPlatform } from "../platform-endpoints.ts";
import { historyRowAnswer, restorePointRowAnswer } from "../wire-answers.ts";
import { accountField, idOrObject, pageField, perPageField, wireId, wireText } from "../wire-fields.ts";
import { historyRow, restorePointRow } from "../wire-rows.ts";

const tag = "Shared";
/** Maps our field of a connected account to its name on the wire. */
const ACCOUNT = { connectionId: "connection_id" };
const totalAnswer = z.object({ totalItemsNumber: z.int().min(0) });

/** Calls that are the same on every platform (spec part 2 section 7, "Generic and shared"). */
export function mountUser(api: Api, core: CoreOperations, platforms: readonly ApiPlatform[]): void {
  mountHistories(api, core, platforms);
  mountSavedRegion(api, core);
  mountPlatformFacts(api, core, platforms);
}

function mountHistories(api: Api, core: CoreOperations, platforms: readonly ApiPlatform[]): void {
  const scoped = new Set(platforms.filter(({ hasScope }) => hasScope).map(({ id }) => id));
  const rowsOf = (platform: string, rows: readonly HistoryRow[]) =>
    rows.map((row) => historyRow(row, { hasScope: scoped.has(platform) }));
  mountRoute(api, {
    method: "POST",
    path: "/user/get-items-backups",
    summary: "History of an item",
    tag,
    input: z.strictObject({ itemId: wireId, page: pageField, perPage: perPageField }),
    alsoQuery: true,
    result: z.array(historyRowAnswer),
    beside: totalAnswer,
    refuses: ["err.role.forbidden", "err.connection.missing", "err.not.found"],
    handle: async (s, m, input) => {
      const { rows, total, platform } = await core.listHistory(s, m, input);
      return { result: rowsOf(platform, rows), beside: { totalItemsNumber: total } };
    },
  });
  mountRoute(api, {
    method: "POST",
    path: "/user/get-actions",
    summary: "Backups and restores of an account or item",
    tag,
    fields: ACCOUNT,
    input: z.strictObject({
      platform: wireText(50).min(1),
      connectionId: accountField,
      id: wireId.nullish().transform((id) => id ?? null),
      page: pageField,
      perPage: perPageField,
    }),
    alsoQuery: true,
    result: z.array(historyRowAnswer),
    beside: totalAnswer,
    refuses: ["err.platform.unknown", "err.role.forbidden", "err.connection.missing", "err.not.found"],
    handle: async (s, m, { id, ...input }) => {
      const { rows, total } = await core.listActions(s, m, { ...input, itemId: id });
      return { result: rowsOf(input.platform, rows), beside: { totalItemsNumber: total } };
    },
  });
  mountRoute(api, {
    method: "POST",
    path: "/user/get-items-versions",
    summary: "Versions of several items, by item id",
    tag,
    input: z.strictObject({
      platform: wireText(50).min(1),
      connectionId: accountField,
      itemIds: z.array(idOrObject).min(1).max(50),
    }),
    fields: { ...ACCOUNT, itemIds: "ids" },
    result: z.record(z.string(), z.array(restorePointRowAnswer)),
    refuses: ["err.platform.unknown", "err.role.forbidden", "err.connection.missing", "err.not.found"],
    handle: async (s, m, input) => {
      const points = Object.entries(await core.listRestorePoints(s, m, input));
      return { result: Object.fromEntries(points.map(([id, each]) => [id, each.map(restorePointRow)])) };
    },
  });
}

function mountSavedRegion(api: Api, core: CoreOperations): void {
  mountRoute(api, {
    method: "PATCH",
    path: "/user/change-user-platform-s3-region",
    summary: "Save the region of a platform; a connected account starts over there and loses its backups",
    tag,
    fields: ACCOUNT,
    input: z.strictObject({
      platform: wireText(50).min(1),
      connectionId: accountField,
      region: wireText(20)
        .transform((name) => regionNamed(name))
        .pipe(z.enum(REGIONS, { error: "not a region" })),
    }),
    result: z.object({
      platform: z.string(),
      region: z.enum(REGIONS),
      regionS3: z.string(),
      connection_id: z.string().nullable(),
    }),
    refuses: [
      "err.platform.unknown",
      "err.role.forbidden",
      "err.plan.required",
      "err.connection.missing",
      "err.connection.unauthorized",
    ],
    handle: async (s, m, input) => {
      const { connectionId, ...chosen } = await core.chooseRegion(s, m, input);
      const regionS3 = STORAGE_REGION_NAMES[chosen.region];
      return { result: { ...chosen, regionS3, connection_id: connectionId } };
    },
  });
}

function mountPlatformFacts(api: Api, core: CoreOperations, platforms: readonly ApiPlatform[]): void {
  mountRoute(api, {
    method: "GET",
    path: "/user/get-user-platform-names",
    summary: "Name of the connected account per platform",
    tag,
    input: z.strictObject({}),
    result: z.object({ platformNames: z.record(z.string(), z.string()) }),
    handle: async (s, m) => {
      const connections = await core.listAllConnections(s, m);
      const names = platforms.flatMap(({ id }) => {
        const connection = connections.find(({ platform }) => platform === id);
        return connection ? [[id, connection.name] as const] : [];
      });
      return { result: { platformNames: Object.fromEntries(names) } };
    },
  });
}
