import { z } from "zod";
import { canUse } from "#core/organisations/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import type { CoreOperations } from "../operations.ts";
import type { ApiPlatform } from "../platform-endpoints.ts";
import { pageField, perPageField, wireId, wireText } from "../wire-fields.ts";
import { historyRow } from "../wire-rows.ts";

const tag = "Shared";

/** Calls that are the same for every platform (spec part 2 section 7, "Generic and shared"). */
export function mountUser(api: Api, core: CoreOperations, platforms: readonly ApiPlatform[]): void {
  mountRoute(api, {
    method: "POST",
    path: "/user/get-items-backups",
    summary: "History of an item",
    tag,
    input: z.strictObject({ itemId: wireId, page: pageField, perPage: perPageField }),
    alsoQuery: true,
    handle: async (s, m, input) => {
      const { rows, total } = await core.listHistory(s, m, input);
      return { result: rows.map(historyRow), beside: { totalItemsNumber: total } };
    },
  });
  mountRoute(api, {
    method: "POST",
    path: "/user/get-actions",
    summary: "Backups and restores of a platform or item",
    tag,
    input: z.strictObject({
      platform: wireText(50).min(1),
      id: wireId.nullish().transform((id) => id ?? null),
      page: pageField,
      perPage: perPageField,
    }),
    alsoQuery: true,
    handle: async (s, m, { id, ...input }) => {
      const { rows, total } = await core.listActions(s, m, { ...input, itemId: id });
      return { result: rows.map(historyRow), beside: { totalItemsNumber: total } };
    },
  });
  mountRoute(api, {
    method: "GET",
    path: "/user/get-platforms-items-amount",
    summary: "Number of protected items per platform",
    tag,
    input: z.strictObject({}),
    handle: async (s, m) => {
      const amounts = platforms
        .filter(({ id }) => canUse(m, id))
        .map(async ({ id, endpoints, defaultKind }) => {
          if ((await core.listConnections(s, m, { platform: id })).length === 0) return [id, 0] as const;
          const listed = Object.values(endpoints).filter(({ does }) => does === "list-items");
          const page = { placeId: null, page: 0, perPage: 1, name: null, filter: "all" as const };
          const totals = await Promise.all(
            listed.map(async ({ kind = defaultKind }) => {
              const { total } = await core.listItems(s, m, { platform: id, kind, ...page });
              return total;
            }),
          );
          return [id, totals.reduce((sum, total) => sum + total, 0)] as const;
        });
      return { result: Object.fromEntries(await Promise.all(amounts)) };
    },
  });
  mountRoute(api, {
    method: "GET",
    path: "/user/get-user-platform-names",
    summary: "Name of the connected account per platform",
    tag,
    input: z.strictObject({}),
    handle: async (s, m) => {
      const names = platforms
        .filter(({ id }) => canUse(m, id))
        .map(async ({ id }) => [id, (await core.listConnections(s, m, { platform: id }))[0]?.name] as const);
      const known = (await Promise.all(names)).filter(([, name]) => name !== undefined);
      return { result: { platformNames: Object.fromEntries(known) } };
    },
  });
}
