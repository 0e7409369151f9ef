import { z } from "zod";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { labelSchema, milestoneSchema, recordForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { feedOf, openRepository } from "./repository-run.ts";

const cursorSchema = z.string();

/** The labels. All of them are read when one changed: there are few, and GitHub has no list of changes. */
export const labelsStage: BackupStage = {
  id: "labels",
  optional: { kind: "label", path: "labels/", prefixes: ["labels/"] },
  rests: { prefixes: ["labels/"], feed: feedOf("labels") },
  async *run(run, cursor) {
    const { client, get } = openRepository(run);
    const from = readCursor(cursorSchema, cursor);
    for await (const page of readPages(client, get("/labels", "the labels"), z.array(labelSchema), from)) {
      for (const label of page.members) {
        const { id, name } = label;
        yield {
          type: "record",
          path: recordPaths.label(id),
          kind: "label",
          title: name,
          value: recordForm(label as Json),
        };
      }
      yield { type: "checkpoint", cursor: page.next };
    }
  },
};

/** The milestones, open and closed. */
export const milestonesStage: BackupStage = {
  id: "milestones",
  optional: { kind: "milestone", path: "milestones/", prefixes: ["milestones/"] },
  rests: { prefixes: ["milestones/"], feed: feedOf("milestones") },
  async *run(run, cursor) {
    const { client, get } = openRepository(run);
    const call = get("/milestones", "the milestones", { state: "all", sort: "due_on", direction: "asc" });
    for await (const page of readPages(
      client,
      call,
      z.array(milestoneSchema),
      readCursor(cursorSchema, cursor),
    )) {
      for (const milestone of page.members) {
        yield {
          type: "record",
          path: recordPaths.milestone(milestone.number),
          kind: "milestone",
          title: milestone.title,
          value: recordForm(milestone as Json),
        };
      }
      yield { type: "checkpoint", cursor: page.next };
    }
  },
};
