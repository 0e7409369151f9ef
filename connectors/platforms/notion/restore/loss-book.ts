import { z } from "zod";
import type { RestoreEvent, RestoreJournal } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { type Loss, losses, lossLine } from "./losses.ts";

/** The losses that a restore met. Each is told once, however often it occurs. */
export type LossBook = {
  tell: (loss: Loss) => void;
  /** Journals what was told. Called before the step that told it counts as done. */
  save(): Promise<void>;
  events(): Generator<RestoreEvent, void>;
};

const KEY = "losses";

/** Opens the losses from the journal. */
export async function openLossBook(journal: RestoreJournal): Promise<LossBook> {
  const told = new Set((await readNote(journal, KEY, z.array(z.string()))) ?? []);
  let saved = told.size;
  return {
    tell: (loss) => void told.add(loss),
    async save() {
      if (told.size === saved) return;
      await journal.record(KEY, [...told]);
      saved = told.size;
    },
    *events() {
      for (const loss of losses) if (told.has(loss)) yield lossLine(loss);
    },
  };
}
