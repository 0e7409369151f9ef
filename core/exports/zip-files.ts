import type { ItemKind, PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { ExportFile, PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import type { ViewerCover } from "./viewer/data.ts";
import { coverViews, insideOf, type LeftOut, leftOutOf, placeOf } from "./viewer/describe-cover.ts";
import { viewerPage } from "./viewer/page.ts";
import type { FindInZip } from "./viewer/shape-part.ts";
import { viewerFiles } from "./viewer/viewer-files.ts";

/** Facts about a version and its item that the version itself does not hold. */
export type ZipFacts = {
  item: { name: string; fullName: string; kind: string };
  snapshot: {
    takenAt: number;
    verifiedAt: number | null;
    verifyState: string;
    skippedCount: number;
    manifestId: string;
  };
  /** Without what no ref reaches. */
  reachedOnly?: boolean;
  /** The part of the version's completeness record that names what could not be read. */
  skipped: readonly LeftOut[];
};

/**
 * All files in the ZIP of a version: those of its connector, and a page that shows the version in a browser without a
 * network. The page is made from the views alone, so every platform that has views gets it.
 */
export async function* zipFiles(
  connector: PlatformConnector,
  version: SnapshotView,
  facts: ZipFacts,
): AsyncGenerator<ExportFile, void> {
  const views = (await connector.views?.(version)) ?? [];
  const hasPage = views.length > 0;
  const places = new Map<string, string>();
  let isFirst = true;
  for await (const file of connector.exportFiles(version, {
    name: facts.item.name,
    reachedOnly: facts.reachedOnly ?? false,
  })) {
    // Records are not linked; there may be a million of them.
    if (hasPage && file.source === "entry" && !file.path.startsWith("metadata/"))
      places.set(file.entry, file.path);
    yield file;
    if (isFirst && hasPage) yield await indexPage(connector, version, facts, views);
    isFirst = false;
  }
  const find: FindInZip = (entry) => places.get(entry) ?? null;
  yield* viewerFiles(views, find);
}

async function indexPage(
  { descriptor, logo, entryKinds }: Pick<PlatformConnector, "descriptor" | "logo" | "entryKinds">,
  version: SnapshotView,
  { item, snapshot, skipped }: ZipFacts,
  views: readonly View[],
): Promise<ExportFile> {
  const cover: ViewerCover = {
    title: item.name,
    platform: descriptor.label,
    logo,
    kind: kindOf(descriptor, item.kind)?.one ?? item.kind,
    place: placeOf(item.fullName),
    takenAt: snapshot.takenAt,
    verifiedAt: snapshot.verifyState === "verified" ? (snapshot.verifiedAt ?? undefined) : undefined,
    inside: insideOf(entryKinds, version.counts(), item.kind),
    leftOut: leftOutOf(entryKinds, skipped, snapshot.skippedCount),
    checksum: snapshot.manifestId,
    views: coverViews(views),
  };
  return { path: "index.html", source: "bytes", bytes: utf8(await viewerPage(cover)) };
}

function kindOf({ itemKinds }: PlatformDescriptor, id: string): ItemKind | undefined {
  return itemKinds.find((kind) => kind.id === id);
}
