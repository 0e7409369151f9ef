import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { ApiError } from "#app/api/call-api.ts";
import { callPlatform, isOffered } from "#app/api/call-platform.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { placeViewSchema } from "./place-view.schema.ts";

const placeSchema = z.object({ view: placeViewSchema });

/**
 * The places offered for a restore: the added ones. For an item that was deleted at the platform, all places of the
 * account, because its own may be deleted too (spec P-340). Also all places where places are not added individually.
 */
export function useRestorePlaces(
  item: Pick<ItemView, "id" | "platform" | "connectionId" | "kind" | "status">,
  added: readonly PlaceView[],
): { places: readonly PlaceView[]; hint?: string; isLoading: boolean } {
  const { platform, connectionId, kind, status } = item;
  const [all, setAll] = useState<readonly PlaceView[] | "failed" | null>(null);
  const descriptor = descriptors.find(({ id }) => id === platform);
  const isSub = descriptor?.itemKinds.find(({ id }) => id === kind)?.isSub === true;
  const areAdded = descriptor?.supports.places === true;
  const isWanted = areAdded ? status === "deleted" : descriptor?.supports.restoreToPlace === true && !isSub;
  const isAsked = isWanted && isOffered({ platform, does: "list-restore-places", kind });
  useEffect(() => {
    if (!isAsked) return;
    const abort = new AbortController();
    const options = { schema: z.array(placeSchema), signal: abort.signal, isQuiet: true };
    callPlatform({ platform, connectionId, does: "list-restore-places", kind }, {}, options).then(
      ({ result }) => setAll(result.map(({ view }) => view)),
      (error: unknown) => {
        if (error instanceof ApiError) setAll("failed");
      },
    );
    return () => abort.abort();
  }, [isAsked, platform, connectionId, kind]);
  if (!isAsked || all === null) return { places: added, isLoading: isAsked && !areAdded };
  const copy = restoreCopy.restorePlaces;
  if (all === "failed")
    return { places: added, hint: areAdded ? copy.failed : copy.onlyOwn, isLoading: false };
  const hint = areAdded ? copy.deleted(descriptor?.label ?? platform) : undefined;
  return { places: all, isLoading: false, ...(hint === undefined ? {} : { hint }) };
}
