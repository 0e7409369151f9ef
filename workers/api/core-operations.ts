import type { HistoryView } from "#core/backups/views.ts";
import type {
  AvailableItemView,
  ConnectionView,
  ItemFilter,
  ItemListView,
  ItemView,
  PlaceView,
} from "#core/inventory/views.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";

type Operation<Input, Output> = (services: Services, member: Member, input: Input) => Promise<Output>;
type OfItems = { platform: string; kind: string };

/** What the API asks of the rules; `workers/api/operations.ts` fills it from the core areas. */
export type CoreOperations = {
  listConnections: Operation<{ platform: string }, ConnectionView[]>;
  listPlaces: Operation<{ platform: string }, PlaceView[]>;
  listAvailablePlaces: Operation<
    { platform: string },
    { externalId: string; nodeId: string | null; name: string; type: "User" | "Organization" }[]
  >;
  addPlaces: Operation<{ platform: string; externalIds: string[] }, PlaceView[]>;
  listAvailableItems: Operation<
    OfItems & { placeId: string | null; page: number; perPage: number; name: string | null },
    { items: AvailableItemView[]; hasMore: boolean; total: number | null; remainingQuota: number }
  >;
  listItems: Operation<
    OfItems & {
      placeId: string | null;
      page: number;
      perPage: number;
      name: string | null;
      filter: ItemFilter;
    },
    ItemListView
  >;
  addItems: Operation<
    OfItems & { placeId: string | null; externals: { externalId: string; nodeId: string | null }[] },
    { added: ItemView[] }
  >;
  removeItems: Operation<OfItems & { itemIds: string[] }, { removed: string[] }>;
  setDailyBackup: Operation<{ platform: string; itemIds: string[]; isDaily: boolean }, { changed: string[] }>;
  findItemByReference: Operation<OfItems & { reference: string }, ItemView>;
  requestBackup: Operation<{ platform: string; itemId: string }, { runId: string; opensAt: number }>;
  requestAllBackups: Operation<
    OfItems & { placeId: string | null },
    { queued: number; refused: number; opensAt: number | null }
  >;
  requestRestores: Operation<
    OfItems & {
      items: {
        itemId: string;
        snapshotId: string;
        name: string | null;
        place: { externalId: string } | null;
      }[];
      placeId: string | null;
      emails: string[];
    },
    { runIds: string[] }
  >;
  requestZip: Operation<
    { platform: string; itemId: string; snapshotId: string },
    { kind: "ready"; url: string; expiresAt: number } | { kind: "preparing" }
  >;
  listHistory: Operation<{ itemId: string; page: number; perPage: number }, HistoryView>;
  listActions: Operation<
    { platform: string; itemId: string | null; page: number; perPage: number },
    HistoryView
  >;
  completeAuthorisation: Operation<
    { platform: string; state: string; code: string; redirectUri: string },
    ConnectionView
  >;
};
