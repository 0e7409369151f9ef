import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { ApiError } from "#app/api/call-api.ts";
import { callPlatform, isOffered } from "#app/api/call-platform.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { ItemView, PlaceView } from "#core/inventory/views.ts";

const placeSchema = z.object({
  view: z.object({
    id: z.string(),
    connectionId: z.string(),
    externalId: z.string(),
    nodeId: z.nullable(z.string()),
    name: z.string(),
    type: z.enum(["User", "Organization"]),
  }),
});

/**
 * The places that a restore is offered: those that were added, and for an item that is gone at the platform all places of
 * the account, because its own may be gone with it (spec P-340).
 */
export function useRestorePlaces(
  item: Pick<ItemView, "id" | "platform" | "kind" | "status">,
  added: readonly PlaceView[],
): { places: readonly PlaceView[]; hint?: string } {
  const { platform, kind, status } = item;
  const [all, setAll] = useState<readonly PlaceView[] | "failed" | null>(null);
  const call = { platform, does: "list-deleted-item-places", kind } as const;
  const isAsked = status === "deleted" && isOffered(call);
  useEffect(() => {
    if (!isAsked) return;
    const abort = new AbortController();
    const options = { schema: z.array(placeSchema), signal: abort.signal, isQuiet: true };
    callPlatform({ platform, does: "list-deleted-item-places", kind }, {}, options).then(
      ({ result }) => setAll(result.map(({ view }) => view)),
      (error: unknown) => {
        if (error instanceof ApiError) setAll("failed");
      },
    );
    return () => abort.abort();
  }, [isAsked, platform, kind]);
  if (!isAsked || all === null) return { places: added };
  if (all === "failed") return { places: added, hint: restoreCopy.deletedPlaces.failed };
  const label = descriptors.find(({ id }) => id === platform)?.label ?? platform;
  return { places: all, hint: restoreCopy.deletedPlaces.hint(label) };
}
