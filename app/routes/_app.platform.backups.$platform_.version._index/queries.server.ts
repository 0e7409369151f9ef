import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { placeIn, readerOf, type VersionRef } from "#app/version/address.ts";
import { readInside } from "#app/version/read-inside.server.ts";
import { findPlace, listViews, type OpenVersion, type VersionPlace } from "#core/browsing/index.ts";

/**
 * The address to open in a version: where its `path` is seen, else its first view, else its records. Null = the surrounding
 * page shows why there is nothing to read.
 */
export async function queryAddress(args: LoaderFunctionArgs): Promise<string | null> {
  const inside = await readInside(args, placeToOpen);
  if (inside === null || inside.problem !== null) return null;
  return inside.page === null ? placeIn(inside, "records") : addressOf(inside, inside.page);
}

async function placeToOpen(open: OpenVersion, query: URLSearchParams): Promise<VersionPlace | null> {
  const path = readerOf(query)("path");
  const place = path === null ? null : await findPlace(open, path);
  if (place !== null) return place;
  const [view] = (await listViews(open)).views;
  return view === undefined ? null : { type: "view", viewKind: view.kind, viewId: view.id };
}

function addressOf(version: VersionRef, place: VersionPlace): string {
  switch (place.type) {
    case "part":
      return place.viewKind === "board"
        ? placeIn(version, "board/card", { in: place.viewId, card: place.partId })
        : placeIn(version, place.viewKind, { in: place.viewId, part: place.partId });
    case "view":
      return placeIn(version, place.viewKind, { in: place.viewId });
    case "table":
      return placeIn(version, "pages", { in: place.viewId, table: place.tableId });
    case "file":
      return placeIn(version, "files", { in: place.viewId, ref: place.ref, path: place.path });
    case "record":
      return placeIn(version, "records", { path: place.path });
    default:
      return place satisfies never;
  }
}
