import type { BoardPart, BoardView } from "#connectors/contract/board-view.ts";
import {
  diffManifests,
  type EntryFacts,
  type ManifestDifference,
  type ManifestReader,
} from "#core/vault/index.ts";
import { MOST_DIFFERENCES, ROWS_PER_KIND } from "./limits.ts";
import type { KindDifference, RecordDifference } from "./views.ts";

type Words = Readonly<Record<string, { one: string; many: string }>>;

/** An entry that differs and is part of the board. */
export type PartDifference = {
  part: BoardPart;
  path: string;
  title: string;
  change: RecordDifference["change"];
};

/**
 * Records that were added, changed or removed, by kind; parts of the board are listed separately. Chunks that both
 * versions share are not fetched, so the cost depends on the changes, not on the versions.
 */
export async function compareRecords(
  before: ManifestReader,
  after: ManifestReader,
  words: Words,
  board: Pick<BoardView, "partOf"> | null = null,
): Promise<{ kinds: KindDifference[]; parts: PartDifference[]; isCut: boolean }> {
  const kinds = new Map<string, KindDifference>();
  for (const [kind, { one, many }] of Object.entries(words))
    kinds.set(kind, { kind, one, many, added: 0, changed: 0, removed: 0, rows: [] });
  const parts: PartDifference[] = [];
  let seen = 0;
  let isCut = false;
  for await (const difference of diffManifests(before, after)) {
    seen += 1;
    if (seen > MOST_DIFFERENCES) {
      isCut = true;
      break;
    }
    const entry = (difference.after ?? difference.before)!;
    const part = board?.partOf(entry) ?? null;
    if (part !== null) {
      const { path, title = "" } = entry;
      parts.push({ part, path, title, change: changeOf(difference) });
      continue;
    }
    const found = kinds.get(entry.kind);
    if (!found) continue;
    const change = changeOf(difference);
    found[change] += 1;
    if (found.rows.length < ROWS_PER_KIND) found.rows.push(toRow(entry, change));
  }
  return { kinds: [...kinds.values()].filter(({ rows }) => rows.length > 0), parts, isCut };
}

function changeOf({ before, after }: ManifestDifference): RecordDifference["change"] {
  if (!before) return "added";
  return after ? "changed" : "removed";
}

function toRow(
  { path, kind, title, type }: EntryFacts,
  change: RecordDifference["change"],
): RecordDifference {
  return { path, kind, title: title?.trim() || path, change, type };
}
