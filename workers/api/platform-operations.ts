import { z } from "zod";
import type { SharedOperation } from "#connectors/contract/endpoints.ts";
import { isId } from "#core/kernel/ids.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";
import type { Answer } from "./envelope.ts";
import type { CoreOperations } from "./operations.ts";
import {
  emailsField,
  flagField,
  idOrObject,
  pageField,
  perPageField,
  wireId,
  wireText,
} from "./wire-fields.ts";
import { availableItemRow, availablePlaceRow, connectionRow, itemRow, placeRow } from "./wire-rows.ts";

/** Where a call was made: on which platform's path, for which item kind. */
export type At = { platform: string; kind: string };

/** One shared operation: what it accepts in our names, and how it is carried out. */
export type PlatformOperation<Input extends z.ZodType = z.ZodType> = {
  summary: string;
  input: Input;
  isStateChanging: boolean;
  handle: (services: Services, member: Member, at: At, input: z.output<Input>) => Promise<Answer>;
};

/** Binds the input's type to the handler's. */
const operation = <Input extends z.ZodType>(each: PlatformOperation<Input>) =>
  each as unknown as PlatformOperation;

const nothing = z.strictObject({});
const placeId = wireId.nullish().transform((id) => id ?? null);
const search = wireText(100)
  .nullish()
  .transform((text) => (text?.trim() ? text.trim() : null));
const itemIds = z.array(idOrObject).min(1).max(1000);
/** A place as the spec's lists describe it; `externalId` is accepted for `id`. */
const place = z
  .union([
    z.object({ externalId: wireId }).transform(({ externalId }) => ({ externalId, id: null })),
    z.object({ id: wireId }).transform(({ id }) => ({ externalId: null, id })),
  ])
  .nullish()
  .transform((value) => value ?? null);

/** Sentence of a ZIP that is being prepared (spec part 2 section 8). */
export const ZIP_PREPARING =
  "The zip download can take a few minutes depending on the size. We will send you an email once it is ready and available to download.";

/** Every shared operation by its name; a platform's table chooses and names them. */
export function platformOperations(core: CoreOperations): Record<SharedOperation, PlatformOperation> {
  return { ...placeOperations(core), ...itemOperations(core), ...actionOperations(core) };
}

function placeOperations(core: CoreOperations) {
  return {
    "list-connections": operation({
      summary: "Connected accounts",
      input: nothing,
      isStateChanging: false,
      handle: async (s, m, { platform }) => ({
        result: (await core.listConnections(s, m, { platform })).map(connectionRow),
      }),
    }),
    "list-places": operation({
      summary: "Places that were added",
      input: nothing,
      isStateChanging: false,
      handle: async (s, m, { platform }) => ({
        result: (await core.listPlaces(s, m, { platform })).map(placeRow),
      }),
    }),
    "list-available-places": operation({
      summary: "Places that could be added",
      input: nothing,
      isStateChanging: false,
      handle: async (s, m, { platform }) => ({
        result: (await core.listAvailablePlaces(s, m, { platform })).map(availablePlaceRow),
      }),
    }),
    "add-places": operation({
      summary: "Add places",
      input: z.strictObject({ externalIds: z.array(idOrObject).min(1).max(100) }),
      isStateChanging: true,
      handle: async (s, m, { platform }, { externalIds }) => ({
        result: (await core.addPlaces(s, m, { platform, externalIds })).map(placeRow),
      }),
    }),
  };
}

function itemOperations(core: CoreOperations) {
  return {
    "list-available-items": operation({
      summary: "Items that could be protected",
      input: z.strictObject({ placeId, page: pageField, perPage: perPageField, name: search }),
      isStateChanging: false,
      handle: async (s, m, at, input) => {
        const { items, remainingQuota, hasMore, total } = await core.listAvailableItems(s, m, {
          ...at,
          ...input,
        });
        return {
          result: { not_added: items.map(availableItemRow), remaining: remainingQuota, hasMore, total },
        };
      },
    }),
    "list-items": operation({
      summary: "Protected items",
      input: z.strictObject({
        placeId,
        page: pageField,
        perPage: perPageField,
        name: search,
        filter: z.enum(["all", "failed", "stale", "never", "paused", "deleted"]).default("all"),
      }),
      isStateChanging: false,
      handle: async (s, m, at, input) => {
        const { items, total, ...around } = await core.listItems(s, m, { ...at, ...input });
        return { result: items.map(itemRow), beside: { ...around, totalItemsNumber: total } };
      },
    }),
    "add-items": operation({
      summary: "Protect items",
      input: z.strictObject({
        placeId,
        externals: z
          .array(
            z.object({
              externalId: wireId,
              nodeId: wireId.nullish().transform((id) => id ?? null),
            }),
          )
          .min(1)
          .max(100),
      }),
      isStateChanging: true,
      handle: async (s, m, at, input) => ({
        result: { added: (await core.addItems(s, m, { ...at, ...input })).added.map(itemRow) },
      }),
    }),
    "delete-items": operation({
      summary: "Remove items with their backups",
      input: z.strictObject({ placeId, itemIds }),
      isStateChanging: true,
      handle: async (s, m, at, input) => ({
        result: await core.removeItems(s, m, { ...at, itemIds: input.itemIds }),
      }),
    }),
    "set-daily-backup": operation({
      summary: "Switch daily backups on or off",
      input: z.strictObject({ isDaily: flagField, itemIds }),
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: await core.setDailyBackup(s, m, { platform, ...input }),
      }),
    }),
  };
}

function actionOperations(core: CoreOperations) {
  /** The spec names items by name in places; an id passes through unread and core checks it. */
  const resolve = async (s: Services, m: Member, at: At, reference: string) =>
    isId("item", reference) ? reference : (await core.findItemByReference(s, m, { ...at, reference })).id;
  return {
    "back-up-now": operation({
      summary: "Back up an item now",
      input: z.strictObject({ itemId: wireId }),
      isStateChanging: true,
      handle: async (s, m, at, { itemId }) => ({
        result: await core.requestBackup(s, m, {
          platform: at.platform,
          itemId: await resolve(s, m, at, itemId),
        }),
      }),
    }),
    "back-up-all-now": operation({
      summary: "Back up all items of a place now",
      input: z.strictObject({ placeId }),
      isStateChanging: true,
      handle: async (s, m, at, input) => ({
        result: await core.requestAllBackups(s, m, { ...at, ...input }),
      }),
    }),
    "restore-items": operation({
      summary: "Restore versions as new items",
      input: z.strictObject({
        items: z
          .array(
            z.object({
              itemId: wireId,
              snapshotId: wireId,
              name: wireText(255)
                .nullish()
                .transform((text) => (text?.trim() ? text.trim() : null)),
              place,
              /** The platform's own choices for a restore, by their names. */
              options: z.record(wireText(50), z.boolean()).optional(),
            }),
          )
          .min(1)
          .max(50),
        placeId,
        emails: emailsField,
      }),
      isStateChanging: true,
      handle: async (s, m, at, { items, ...rest }) => {
        const externalIdOf = await placeResolver(core, s, m, at, items);
        const orders = items.map((item) => ({ ...item, place: externalIdOf(item.place) }));
        const result = await core.requestRestores(s, m, { ...at, ...rest, items: orders });
        return { result, message: "Your restore is now in process" };
      },
    }),
    "request-zip": operation({
      summary: "Download a version as ZIP",
      input: z.strictObject({ itemId: wireId, snapshotId: wireId }),
      isStateChanging: true,
      handle: async (s, m, at, { itemId, snapshotId }) => {
        const zip = await core.requestZip(s, m, {
          platform: at.platform,
          itemId: await resolve(s, m, at, itemId),
          snapshotId,
        });
        if (zip.kind === "preparing") return { result: null, message: ZIP_PREPARING };
        return { result: { url: zip.url, expiresAt: zip.expiresAt } };
      },
    }),
  };
}

type PlaceOrder = { externalId: string | null; id: string | null } | null;

/** Places of ours are told by our id, places of the platform by the platform's; core knows the latter. */
async function placeResolver(
  core: CoreOperations,
  s: Services,
  m: Member,
  { platform }: At,
  items: readonly { place: PlaceOrder }[],
) {
  const isOurs = items.some((item) => item.place !== null && isId("place", item.place.id));
  const places = isOurs ? await core.listPlaces(s, m, { platform }) : [];
  return (ordered: PlaceOrder): { externalId: string } | null => {
    if (!ordered) return null;
    const ours = places.find((each) => each.id === ordered.id);
    return { externalId: ours?.externalId ?? ordered.externalId ?? String(ordered.id) };
  };
}
