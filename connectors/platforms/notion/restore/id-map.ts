import { z } from "zod";
import type { RestoreJournal } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";

const madeSchema = z.object({
  id: z.string(),
  /** Files that were uploaded for it. */
  files: z.number(),
  /** A divider at its top holds the place of blocks that stand before the first page below. */
  hasHolder: z.boolean(),
  /** The id above it in the version: a moved page may appear in two places, and is made once. */
  under: z.string(),
});

/** Something of the version that exists again. */
export type Made = z.output<typeof madeSchema>;

/** New ids by those in the version: of pages, rows, databases, data sources and originals of synced blocks. */
export type IdMap = {
  /** What became of a thing; null = it does not exist yet. */
  find(oldId: string): Promise<Made | null>;
  record(oldId: string, made: Partial<Made> & { id: string }): Promise<Made>;
  /** Loads ids, so that `known` tells them. */
  load(oldIds: Iterable<string>): Promise<void>;
  /** The new id of a thing that was loaded; null = it was not restored. */
  known(oldId: string): string | null;
};

/** Ids kept in memory: 50,000 take about 10 MB. */
const MOST_KEPT = 50_000;

/** Opens the map of a restore. The journal holds it, one entry for each thing. */
export function openIdMap(journal: RestoreJournal): IdMap {
  const kept = new Map<string, Made>();
  const keep = (oldId: string, made: Made) => {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(oldId, made);
  };
  const find = async (oldId: string) => {
    const there = kept.get(oldId) ?? (await readNote(journal, keyOf(oldId), madeSchema));
    if (there !== null) keep(oldId, there);
    return there;
  };
  return {
    find,
    async record(oldId, { id, files = 0, hasHolder = false, under = "" }) {
      const made = { id, files, hasHolder, under };
      await journal.record(keyOf(oldId), made);
      keep(oldId, made);
      return made;
    },
    async load(oldIds) {
      for (const oldId of oldIds) await find(oldId);
    },
    known: (oldId) => kept.get(oldId)?.id ?? null,
  };
}

const keyOf = (oldId: string) => `made:${oldId}`;
