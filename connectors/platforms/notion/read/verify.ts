import { z } from "zod";
import type { VerifyEvent, VerifyOrder } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { storedJson } from "#core/kernel/stored-json.ts";

/** Path of the last record that was checked. */
const cursorForm = storedJson(1, z.strictObject({ after: z.string() }));

/** Kinds of records that name files (`StoredFile`). */
const NAMING = new Set(["page", "row", "template", "blocks", "comment", "database", "data-source", "emoji"]);
/** Records between two looks at the time. */
const STEP = 200;

/**
 * Checks what the engine cannot know: that the bytes of every file that a record names are in the version. The engine
 * itself opens and hashes every entry.
 */
export async function* verify(snapshot: SnapshotView, order: VerifyOrder): AsyncGenerator<VerifyEvent, void> {
  let count = 0;
  for await (const { path, kind, type } of snapshot.list("", cursorForm.resume(order.cursor)?.after)) {
    if (type !== "record" || !NAMING.has(kind)) continue;
    for (const file of pathsIn(await snapshot.readRecord(path))) {
      if ((await snapshot.find(file)) === null)
        yield { type: "problem", path, message: `It names a file that this version does not hold: ${file}` };
    }
    count += 1;
    if (count % STEP === 0 && order.isOver())
      yield { type: "checkpoint", cursor: cursorForm.write({ after: path }) };
  }
}

/** Paths of the files that a record names, at any depth. Not recursive: JSON from outside may be deep. */
function pathsIn(record: Json): string[] {
  const paths: string[] = [];
  const waiting: Json[] = [record];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value === null || typeof value !== "object") continue;
    if (Array.isArray(value)) {
      waiting.push(...value);
      continue;
    }
    const { type, file } = value;
    if (type === "file" && file !== null && typeof file === "object" && !Array.isArray(file)) {
      if (typeof file.path === "string") paths.push(file.path);
    }
    waiting.push(...Object.values(value));
  }
  return paths;
}
