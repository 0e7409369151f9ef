import { useQuery } from "@tanstack/react-query";
import { restoreCopy } from "#app/copy/restore.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { restorePlacesQuery } from "./restore-queries.ts";

/**
 * The places offered for a restore: the added ones. For an item that was deleted at the platform, all places of the
 * account, because its own may be deleted too (spec P-340). Also all places where places are not added individually.
 */
export function useRestorePlaces(
  item: Pick<ItemView, "id" | "platform" | "connectionId" | "kind" | "status">,
  added: readonly PlaceView[],
): { places: readonly PlaceView[]; hint?: string; isLoading: boolean } {
  const { platform, connectionId, kind, status } = item;
  const descriptor = descriptors.find(({ id }) => id === platform);
  const isSub = descriptor?.itemKinds.find(({ id }) => id === kind)?.isSub === true;
  const areAdded = descriptor?.supports.places === true;
  const isWanted = areAdded ? status === "deleted" : descriptor?.supports.restoreToPlace === true && !isSub;
  const query = restorePlacesQuery({ platform, connectionId }, kind, isWanted);
  const { data: all, isError } = useQuery(query);
  if (!query.enabled || (all === undefined && !isError))
    return { places: added, isLoading: query.enabled === true && !areAdded };
  const copy = restoreCopy.restorePlaces;
  if (all === undefined)
    return { places: added, hint: areAdded ? copy.failed : copy.onlyOwn, isLoading: false };
  const hint = areAdded ? copy.deleted(descriptor?.label ?? platform) : undefined;
  return { places: all, isLoading: false, ...(hint === undefined ? {} : { hint }) };
}
