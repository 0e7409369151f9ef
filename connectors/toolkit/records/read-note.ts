import type { z } from "zod";
import type { RestoreJournal } from "#connectors/contract/platform-connector.ts";
import { readCursor } from "#core/kernel/stored-json.ts";

/**
 * Reads a value from the journal of a restore; null = none yet. An unreadable value must not be treated as missing,
 * because its thing would be created twice.
 *
 * @throws UnreadableCursorError The restore stops with a message and writes nothing more.
 */
export async function readNote<S extends z.ZodType>(
  journal: RestoreJournal,
  key: string,
  schema: S,
): Promise<z.output<S> | null> {
  return readCursor(schema, await journal.find(key));
}
