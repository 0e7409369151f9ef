import { z } from "zod";
import type { RestoredItem, RestoreEvent } from "#connectors/contract/platform-connector.ts";
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
      const body = labelBody(label);
      const known = there.get(label.name.toLowerCase());
      try {
        if (known === undefined) {
          await createLabel(io, body);
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

/**
 * Adds the labels of a version to an existing repository. A label that is there stays as it is.
 * @returns the repository, with its page of labels
 */
export async function* addLabels(io: RestoreIo): AsyncGenerator<RestoreEvent, RestoredItem> {
  const { snapshot, created } = io;
  const stage = await openStage<string>(io.journal, "labels");
  if (!stage.isDone) {
    const there = await labelsOf(io);
    for await (const { path } of snapshot.list("labels/")) {
      if (stage.at !== null && path <= stage.at) continue;
      const body = labelBody(labelSchema.parse(await snapshot.readRecord(path)));
      const known = there.get(body.name.toLowerCase());
      try {
        if (known === undefined) await createLabel(io, body);
        else if (!isAlike(known, body))
          stage.tell({ type: "changed", what: `Label ${body.name}`, reason: STAYS });
        stage.count("label");
      } catch (error) {
        stage.tell({ type: "missing", what: `Label ${body.name}`, reason: refusalReason(error) });
      }
      if (await stage.step(path)) yield { type: "checkpoint" };
    }
    await stage.finish();
  }
  yield* stage.events();
  return { ...created, webUrl: `${created.webUrl}/labels` };
}

const STAYS =
  "The repository has a label of this name with another colour or description. It stays as it is.";

type LabelBody = { name: string; color: string; description: string };

/** A label as GitHub takes it. */
export function labelBody({ name, color, description }: Label): LabelBody {
  return { name, color: color ?? "ededed", description: description ?? "" };
}

/** Creates a label. @throws ConnectorError */
export async function createLabel({ client, created }: RestoreIo, body: LabelBody): Promise<void> {
  const path = paths.labels(created.fullName);
  await client.send({ method: "POST", path, body, about: "a label", missing: "forbidden" });
}

/** Labels of the repository by lower-case name: GitHub ignores case in label names. */
export async function labelsOf({ client, created }: RestoreIo): Promise<Map<string, Label>> {
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

function isAlike(there: Label, wanted: LabelBody): boolean {
  const { name, color, description } = wanted;
  return there.name === name && there.color === color && (there.description ?? "") === description;
}
