import { z } from "zod";
import type { SharedOperation } from "#connectors/contract/endpoints.ts";
import type { PlatformRowFacts, WithFacts } from "#connectors/contract/row-facts.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { isId } from "#core/kernel/ids.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, Uses } from "#core/services.ts";
import { accountOperations } from "./account-operations.ts";
import type { CoreOperations } from "./operations.ts";
import {
  ASKS_PLATFORM,
  type At,
  MANAGE,
  operation,
  type PlatformOperation,
  USE,
} from "./platform-operation.ts";
import { listFactsAnswer, type RowAnswers, rowAnswersOf } from "./wire-answers.ts";
import {
  accountField,
  answersField,
  emailsField,
  flagField,
  idOrObject,
  matchesField,
  pageField,
  perPageField,
  wireId,
  wireText,
} from "./wire-fields.ts";
import { availableItemRow, availablePlaceRow, itemRow, placeRow } from "./wire-rows.ts";

export type ApiKind = { id: string; isSub: boolean };

const connectionId = accountField;
const account = z.strictObject({ connectionId });
const placeId = wireId.nullish().transform((id) => id ?? null);
const search = wireText(100)
  .nullish()
  .transform((text) => (text?.trim() ? text.trim() : null));
/** `keys.last` or `keys.first` of a page. Reads the next or previous page by key instead of by offset. */
const pageKey = wireText(1_000)
  .nullish()
  .transform((key) => key || null);
const itemIds = z.array(idOrObject).min(1).max(1000);
/** A place as the spec's lists describe it, or only its id. `externalId` is accepted in place of `id`. */
const place = z
  .union([
    wireId.transform((id) => ({ externalId: null, id })),
    z.object({ externalId: wireId }).transform(({ externalId }) => ({ externalId, id: null })),
    z.object({ id: wireId }).transform(({ id }) => ({ externalId: null, id })),
  ])
  .nullish()
  .transform((value) => value ?? null);

/** The message for a ZIP that is being prepared (spec part 2 section 8). */
export const ZIP_PREPARING =
  "The zip download can take a few minutes depending on the size. We will send you an email once it is ready and available to download.";

/** All shared operations by name. A platform's endpoint table selects them and sets their paths. */
export function platformOperations(
  core: CoreOperations,
  { kinds, rowFacts }: { kinds: readonly ApiKind[]; rowFacts?: PlatformRowFacts },
): Record<SharedOperation, PlatformOperation> {
  const rows = rowAnswersOf(rowFacts);
  return {
    ...accountOperations(core, rows),
    ...placeOperations(core, rows),
    ...availableItemOperations(core, rows),
    ...itemOperations(core, kinds, rows),
    ...backupOperations(core, kinds),
    ...restoreOperations(core),
    ...zipOperations(core),
  };
}

function placeOperations(core: CoreOperations, rows: RowAnswers) {
  return {
    "list-places": operation({
      summary: "Places that were added",
      input: account,
      result: z.array(rows.place),
      refuses: [...USE, ...ASKS_PLATFORM],
      isStateChanging: false,
      handle: async (s, m, { platform }, input) => ({
        result: (await core.listPlaces(s, m, { platform, ...input })).map(placeRow),
      }),
    }),
    "list-available-places": operation({
      summary: "Places that could be added",
      input: account,
      result: z.array(rows.availablePlace),
      refuses: [...MANAGE, ...ASKS_PLATFORM],
      isStateChanging: false,
      handle: async (s, m, { platform }, input) => ({
        result: (await core.listAvailablePlaces(s, m, { platform, ...input })).map(availablePlaceRow),
      }),
    }),
    "list-restore-places": operation({
      summary: "Places that restores can go to",
      input: account,
      result: z.array(rows.place),
      refuses: [...MANAGE, ...ASKS_PLATFORM],
      isStateChanging: false,
      handle: async (s, m, { platform }, input) => ({
        result: (await core.listRestorePlaces(s, m, { platform, ...input })).map(placeRow),
      }),
    }),
    "add-places": operation({
      summary: "Add places",
      input: z.strictObject({ connectionId, externalIds: z.array(idOrObject).min(1).max(100) }),
      result: z.array(rows.place),
      refuses: [...MANAGE, ...ASKS_PLATFORM],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: (await core.addPlaces(s, m, { platform, ...input })).map(placeRow),
      }),
    }),
  };
}

function availableItemOperations(core: CoreOperations, rows: RowAnswers) {
  return {
    "list-available-items": operation({
      summary: "Items that could be protected",
      input: z.strictObject({ connectionId, placeId, page: pageField, perPage: perPageField, name: search }),
      result: z.object({
        not_added: z.array(rows.availableItem),
        already_added: z.array(rows.availableItem),
        remaining: z.int().min(0),
        hasMore: z.boolean(),
        total: z.int().min(0).nullable(),
      }),
      refuses: [...MANAGE, ...ASKS_PLATFORM],
      isStateChanging: false,
      handle: async (s, m, { platform, kind }, input) => {
        const { items, remainingQuota, hasMore, total } = await core.listAvailableItems(s, m, {
          platform,
          kind,
          ...input,
        });
        const offered = items.map(availableItemRow);
        return {
          result: {
            not_added: offered.filter(({ isAdded }) => !isAdded),
            already_added: offered.filter(({ isAdded }) => isAdded),
            remaining: remainingQuota,
            hasMore,
            total,
          },
        };
      },
    }),
  };
}

function itemOperations(core: CoreOperations, kinds: readonly ApiKind[], rows: RowAnswers) {
  const subKinds = new Set(kinds.filter(({ isSub }) => isSub).map(({ id }) => id));
  const rowOf = (view: WithFacts<ItemView>) => itemRow(view, { isSub: subKinds.has(view.kind) });
  return {
    "list-items": operation({
      summary: "Protected items",
      input: z.strictObject({
        connectionId,
        placeId,
        page: pageField,
        perPage: perPageField,
        name: search,
        filter: z.enum(["all", "failed", "alarm", "stale", "never", "paused", "deleted"]).default("all"),
        sort: z.enum(["name", "-name"]).default("name"),
        after: pageKey,
        before: pageKey,
      }),
      result: z.array(rows.item),
      beside: listFactsAnswer,
      refuses: [...USE, "err.not.found"],
      isStateChanging: false,
      handle: async (s, m, { platform, kind }, input) => {
        const { items, total, ...around } = await core.listItems(s, m, { platform, kind, ...input });
        return {
          result: items.map(rowOf),
          beside: { ...around, totalItemsNumber: total },
        };
      },
    }),
    "add-items": operation({
      summary: "Protect items",
      input: z.strictObject({
        connectionId,
        placeId,
        externals: z
          .array(
            z.union([
              wireId.transform((externalId) => ({ externalId })),
              // Clients send rows back, so other members are allowed.
              z.object({ externalId: wireId }),
            ]),
          )
          .min(1)
          .max(100),
      }),
      result: z.object({ added: z.array(rows.item) }),
      refuses: [...MANAGE, ...ASKS_PLATFORM, "err.item.limit"],
      isStateChanging: true,
      handle: async (s, m, { platform, kind }, input) => ({
        result: { added: (await core.addItems(s, m, { platform, kind, ...input })).added.map(rowOf) },
      }),
    }),
    "delete-items": operation({
      summary: "Remove items with their backups",
      input: z.strictObject({ connectionId, placeId, itemIds }),
      result: z.object({ removed: z.array(z.string()) }),
      refuses: [...MANAGE, "err.not.found"],
      isStateChanging: true,
      handle: async (s, m, { platform, kind }, input) => ({
        result: await core.removeItems(s, m, { platform, kind, ...input }),
      }),
    }),
    "set-daily-backup": operation({
      summary: "Switch daily backups on or off",
      input: dailyInput,
      result: z.object({ changed: z.array(z.string()) }),
      refuses: [...MANAGE, "err.not.found"],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: await core.setDailyBackup(s, m, { platform, ...input }),
      }),
    }),
  };
}

/** A flag with lists of ids, one list per item kind. At least one list is required. */
function dailyInput(kinds: readonly string[]) {
  const lists = z.strictObject(Object.fromEntries(kinds.map((kind) => [kind, itemIds.optional()])));
  return z
    .strictObject({ connectionId, isDaily: flagField, ...lists.shape })
    .transform(({ connectionId, isDaily, ...given }) => ({
      connectionId,
      isDaily,
      items: Object.entries(given as z.output<typeof lists>).flatMap(([kind, ids]) =>
        ids === undefined ? [] : [{ kind, itemIds: ids }],
      ),
    }))
    .refine(({ items }) => items.length > 0, "Name the items to switch.");
}

/** An item as a caller names it: by id, or by name within an account. */
type NamedItem = { connectionId?: string | null; itemId: string };

/** The spec names items by name in places; an id passes through unread and core checks it. */
const resolver =
  (core: CoreOperations) =>
  async (
    s: AccessServices & Uses<"connectorConfig" | "windows">,
    m: Member,
    { platform, kind }: At,
    named: NamedItem,
  ) =>
    isId("item", named.itemId)
      ? named.itemId
      : (
          await core.findItemByReference(s, m, {
            platform,
            kind,
            connectionId: named.connectionId,
            reference: named.itemId,
          })
        ).id;

function backupOperations(core: CoreOperations, kinds: readonly ApiKind[]) {
  const kind = z.enum(kinds.map(({ id }) => id)).nullish();
  const resolve = resolver(core);
  return {
    "back-up-now": operation({
      summary: "Back up an item now",
      input: z.strictObject({ connectionId, itemId: wireId }),
      result: z.object({ runId: z.string(), opensAt: z.int() }),
      refuses: [...USE, "err.plan.required", "err.not.found", "err.user.backup.limit"],
      isStateChanging: true,
      handle: async (s, m, at, input) => ({
        result: await core.requestBackup(s, m, {
          platform: at.platform,
          kind: at.kind,
          connectionId: input.connectionId,
          itemId: await resolve(s, m, at, input),
        }),
      }),
    }),
    "back-up-all-now": operation({
      summary: "Back up all items of a place, or of the account, now",
      input: z.strictObject({ connectionId, placeId, kind }),
      result: z.object({ queued: z.int().min(0), refused: z.int().min(0), opensAt: z.int().nullable() }),
      refuses: [...MANAGE, "err.not.found", "err.user.backup.limit"],
      isStateChanging: true,
      handle: async (s, m, { platform, kind, isOfOneKind }, input) => ({
        result: await core.requestAllBackups(s, m, {
          platform,
          kind: isOfOneKind ? kind : (input.kind ?? null),
          connectionId: input.connectionId,
          placeId: input.placeId,
        }),
      }),
    }),
  };
}

function restoreOperations(core: CoreOperations) {
  return {
    "restore-items": operation({
      summary: "Restore versions as new items, or into items that exist",
      input: z.strictObject({
        connectionId,
        items: z
          .array(
            z.object({
              itemId: wireId,
              snapshotId: wireId,
              name: wireText(255)
                .nullish()
                .transform((text) => (text?.trim() ? text.trim() : null)),
              place,
              /** The platform's id of the target item; absent = a new one. */
              into: wireId.nullish().transform((id) => (id ? { externalId: id } : null)),
              /** Answers to the connector's questions, by their names. */
              options: answersField.optional(),
              /** The answer to a matching question by names; what no match names is left out. */
              matches: matchesField.optional(),
            }),
          )
          .min(1)
          .max(50),
        placeId,
        emails: emailsField,
      }),
      result: z.object({ runIds: z.array(z.string()) }),
      refuses: [
        ...MANAGE,
        ...ASKS_PLATFORM,
        "err.snapshot.not.restorable",
        "err.version.unreadable",
        "err.restore.name",
        "err.item.busy",
      ],
      isStateChanging: true,
      handle: async (s, m, at, { items, ...rest }) => {
        const { platform, kind } = at;
        // A place may be given by our id or by the platform's; core resolves both.
        const orders = items.map(({ place: ordered, options: answers, ...item }) => ({
          ...item,
          ...(answers ? { answers } : {}),
          place: ordered && { externalId: ordered.externalId ?? String(ordered.id) },
        }));
        const result = await core.requestRestores(s, m, { platform, kind, ...rest, items: orders });
        return { result, message: "Your restore is now in process" };
      },
    }),
  };
}

function zipOperations(core: CoreOperations) {
  const resolve = resolver(core);
  return {
    "request-zip": operation({
      summary: "Download a version as ZIP",
      input: z.strictObject({
        connectionId,
        itemId: wireId,
        snapshotId: wireId,
        reachedOnly: flagField.default(false),
      }),
      result: z.object({ url: z.string(), expiresAt: z.int() }).nullable(),
      refuses: [...USE, "err.plan.required", "err.not.found", "err.snapshot.not.restorable"],
      isStateChanging: true,
      handle: async (s, m, at, input) => {
        const zip = await core.requestZip(s, m, {
          platform: at.platform,
          kind: at.kind,
          connectionId: input.connectionId,
          itemId: await resolve(s, m, at, input),
          snapshotId: input.snapshotId,
          reachedOnly: input.reachedOnly,
        });
        if (zip.kind === "preparing") return { result: null, message: ZIP_PREPARING };
        return { result: { url: zip.url, expiresAt: zip.expiresAt } };
      },
    }),
  };
}
