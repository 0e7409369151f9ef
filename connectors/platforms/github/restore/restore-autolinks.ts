import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { paths } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import type { RestoreIo } from "./restore-io.ts";
import { isRefusal } from "./restore-refusal.ts";

const autolinksSchema = z.array(
  z.object({ key_prefix: z.string(), url_template: z.string(), is_alphanumeric: z.boolean().nullish() }),
);

/** The autolinks of a version: words such as `TICKET-7` that GitHub shows as links. */
export async function readAutolinks(snapshot: SnapshotView): Promise<z.output<typeof autolinksSchema>> {
  const path = recordPaths.setting("autolinks");
  return (await snapshot.find(path)) ? autolinksSchema.parse(await snapshot.readRecord(path)) : [];
}

/** Restores autolinks. */
export async function* restoreAutolinks({
  client,
  created,
  snapshot,
}: RestoreIo): AsyncGenerator<RestoreEvent> {
  const source = await readAutolinks(snapshot);
  if (source.length === 0) return;
  const path = paths.autolinks(created.fullName);
  let count = 0;
  try {
    const about = "the autolinks";
    const list = { method: "GET", path, about, missing: "forbidden" } as const;
    const there = new Set((await client.request(list, autolinksSchema)).map(({ key_prefix }) => key_prefix));
    for (const { key_prefix, url_template, is_alphanumeric } of source) {
      const body = { key_prefix, url_template, is_alphanumeric: is_alphanumeric ?? true };
      if (!there.has(key_prefix))
        await client.send({ method: "POST", path, body, about, missing: "forbidden" });
      count += 1;
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    yield { type: "missing", what: "Autolinks", reason: error.message };
  }
  if (count > 0) yield { type: "restored", kind: "autolink", count };
}
