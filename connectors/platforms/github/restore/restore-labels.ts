import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { paths } from "../client.ts";
import { holdsAny, type RestoreIo } from "./restore-io.ts";
import { refusalReason } from "./restore-refusal.ts";
import { labelSchema } from "./restored-records.ts";

const presentSchema = z.array(labelSchema);
type Label = z.output<typeof labelSchema>;
const PAGE = { per_page: 100 };

/**
 * Restores labels with their colours. GitHub adds default labels to a new repository; those that the original lacks are
 * removed.
 */
export async function* restoreLabels(io: RestoreIo): AsyncGenerator<RestoreEvent> {
  const stage = await openStage<string>(io.journal, "labels");
  if (!stage.isDone && (await holdsAny(io.snapshot, "labels/"))) {
    const { client, created, snapshot } = io;
    const there = await labelsOf(io);
    const wanted = new Set<string>();
    for await (const entry of snapshot.list("labels/")) {
      const label = labelSchema.parse(await snapshot.readRecord(entry.path));
      wanted.add(label.name.toLowerCase());
      if (stage.at !== null && entry.path <= stage.at) continue;
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
        } else if (!isAlike(known, body)) {
          const { name: new_name, ...rest } = body;
          const path = paths.label(created.fullName, known.name);
          await client.send({
            method: "PATCH",
            path,
            body: { new_name, ...rest },
            about: "a label",
            missing: "forbidden",
          });
        }
        stage.count("label");
      } catch (error) {
        stage.tell({ type: "missing", what: `Label ${label.name}`, reason: refusalReason(error) });
      }
      if (await stage.step(entry.path)) yield { type: "checkpoint" };
    }
    for (const [key, { name }] of there) {
      if (wanted.has(key)) continue;
      const path = paths.label(created.fullName, name);
      await client.send({ method: "DELETE", path, about: "a label" }).catch(refusalReason);
    }
    await stage.finish();
  }
  yield* stage.events();
}

/** Labels of the new repository by lower-case name: GitHub ignores case in label names. */
async function labelsOf({ client, created }: RestoreIo): Promise<Map<string, Label>> {
  const call = {
    method: "GET",
    path: paths.labels(created.fullName),
    query: PAGE,
    about: "the labels",
  } as const;
  const found = new Map<string, Label>();
  for await (const label of client.members(call, presentSchema, ({ name }) => name)) {
    found.set(label.name.toLowerCase(), label);
  }
  return found;
}

function isAlike(there: Label, wanted: { name: string; color: string; description: string }): boolean {
  const { name, color, description } = wanted;
  return there.name === name && there.color === color && (there.description ?? "") === description;
}
