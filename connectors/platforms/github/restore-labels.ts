import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openPart } from "#connectors/toolkit/records/restore-part.ts";
import { paths } from "./client.ts";
import { CONTENT_SPACING_MS, holdsAny, type RestoreIo, refusalReason } from "./restore-io.ts";
import { labelSchema } from "./restored-records.ts";

const namesSchema = z.array(z.object({ name: z.string() }));
const PAGE = { per_page: 100 };

/** Labels with their colours. A new repository brings GitHub's own; those that the original did not have are removed. */
export async function* restoreLabels(io: RestoreIo): AsyncGenerator<RestoreEvent> {
  const part = await openPart<string>(io.journal, "labels");
  if (!part.isDone && (await holdsAny(io.snapshot, "labels/"))) {
    const { client, created, session, snapshot } = io;
    const there = await labelsOf(io);
    const wanted = new Set<string>();
    for await (const entry of snapshot.list("labels/")) {
      const label = labelSchema.parse(await snapshot.readRecord(entry.path));
      wanted.add(label.name.toLowerCase());
      if (part.at !== null && entry.path <= part.at) continue;
      const body = { name: label.name, color: label.color ?? "ededed", description: label.description ?? "" };
      const known = there.get(label.name.toLowerCase());
      try {
        if (known === undefined) {
          await client.send({
            method: "POST",
            path: paths.labels(created.fullName),
            body,
            about: "a label",
            missing: "forbidden",
          });
          await session.sleep(CONTENT_SPACING_MS);
        } else {
          const { name: new_name, ...rest } = body;
          const path = paths.label(created.fullName, known);
          await client.send({
            method: "PATCH",
            path,
            body: { new_name, ...rest },
            about: "a label",
            missing: "forbidden",
          });
        }
        part.count("label");
      } catch (error) {
        part.tell({ type: "impossible", what: `Label ${label.name}`, reason: refusalReason(error) });
      }
      if (await part.step(entry.path)) yield { type: "checkpoint" };
    }
    for (const [key, name] of there) {
      if (wanted.has(key)) continue;
      const path = paths.label(created.fullName, name);
      await client.send({ method: "DELETE", path, about: "a label" }).catch(refusalReason);
    }
    await part.finish();
  }
  yield* part.events();
}

/** Labels of the new repository: small letters → name as it is written. GitHub tells names apart without case. */
async function labelsOf({ client, created }: RestoreIo): Promise<Map<string, string>> {
  const call = {
    method: "GET",
    path: paths.labels(created.fullName),
    query: PAGE,
    about: "the labels",
  } as const;
  const found = new Map<string, string>();
  for await (const { name } of client.members(call, namesSchema, (label) => label.name)) {
    found.set(name.toLowerCase(), name);
  }
  return found;
}
