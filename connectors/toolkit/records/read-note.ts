import type { z } from "zod";
import type { RestoreJournal } from "#connectors/contract/platform-connector.ts";
import { readCursor } from "#core/kernel/stored-json.ts";

/**
 * What the journal of a restore holds under a key; null = nothing yet. A note that is not understood must never pass for
 * none: what it stands for would be created twice.
 *
 * @throws UnreadableCursorError The restore ends with a sentence, and nothing more is written.
 */
export async function readNote<S extends z.ZodType>(
  journal: RestoreJournal,
  key: string,
  schema: S,
): Promise<z.output<S> | null> {
  return readCursor(schema, await journal.find(key));
}
