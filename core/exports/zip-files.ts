import type { ItemKind, PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { ExportFile, PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import type { ViewerCover } from "./viewer/data.ts";
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
};

/** Kinds of entries that the cover counts. */
const MOST_KINDS = 6;

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
  for await (const file of connector.exportFiles(version, { name: facts.item.name })) {
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
  { descriptor, entryKinds }: Pick<PlatformConnector, "descriptor" | "entryKinds">,
  version: SnapshotView,
  { item, snapshot }: ZipFacts,
  views: readonly View[],
): Promise<ExportFile> {
  const counts = version.counts();
  const inside = Object.entries(entryKinds)
    .filter(([kind]) => (counts[kind] ?? 0) > 0)
    .slice(0, MOST_KINDS)
    .map(([kind, { one, many }]) => countText(counts[kind] ?? 0, one, many));
  const cover: ViewerCover = {
    title: item.name,
    what: [descriptor.label, kindOf(descriptor, item.kind)?.one ?? item.kind, ...placeOf(item)].join(" "),
    takenAt: snapshot.takenAt,
    verifiedAt: snapshot.verifyState === "verified" ? (snapshot.verifiedAt ?? undefined) : undefined,
    facts: [
      ...(inside.length === 0 ? [] : [{ name: "Inside", value: inside.join(", ") }]),
      ...(snapshot.skippedCount === 0
        ? []
        : [
            {
              name: "Left out",
              value: `${countText(snapshot.skippedCount, "thing", "things")} that could not be read`,
            },
          ]),
      { name: "Checksum", value: `sha256 ${snapshot.manifestId}` },
    ],
    views: views.map(({ kind, label }) => ({ kind, label })),
  };
  return { path: "index.html", source: "bytes", bytes: utf8(await viewerPage(cover)) };
}

/** The full name, if it differs from the name. */
function placeOf({ name, fullName }: ZipFacts["item"]): string[] {
  return fullName === name ? [] : [fullName];
}

function kindOf({ itemKinds }: PlatformDescriptor, id: string): ItemKind | undefined {
  return itemKinds.find((kind) => kind.id === id);
}

function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
