import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { BoardTree } from "../payloads.ts";
import { boardForm, recordForm, sortedBy } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import type { BoardSight } from "./board-sight.ts";

/** The board and everything on it except the cards. */
export function boardStage(sight: BoardSight): BackupStage {
  return {
    id: "board",
    async *run(run) {
      yield {
        type: "progress",
        progress: { phase: "Reading the board", done: 0, total: 1, unit: "requests" },
      };
      const tree = await sight.tree(run.session);
      yield record(recordPaths.board, "board", tree.name, boardForm(tree));
      yield* each(tree.lists, recordPaths.lists, "list", ({ name }) => name);
      yield* each(tree.labels, recordPaths.labels, "label", ({ name, color }) => name || (color ?? "Label"));
      yield* each(
        tree.customFields.map(withSortedOptions),
        recordPaths.customFields,
        "custom-field",
        ({ name }) => name,
      );
      const people = tree.members.map(({ id, username, fullName, initials }) => ({
        id,
        username,
        fullName,
        initials: initials ?? null,
      }));
      yield* each(people, recordPaths.members, "member", ({ fullName, username }) => fullName ?? username);
      const memberships = sortedBy(tree.memberships, ({ id }) => id);
      yield record(recordPaths.memberships, "setting", "Memberships", recordForm(memberships));
      const pluginData = sortedBy(tree.pluginData, ({ id }) => id);
      if (pluginData.length > 0)
        yield record(recordPaths.pluginData, "setting", "Data of Power-Ups", recordForm(pluginData));
      yield* reportCounts(tree);
    },
  };
}

function record(path: string, kind: string, title: string, value: Json): BackupEvent {
  return { type: "record", path, kind, title, value };
}

function* each<T extends { id: string }>(
  all: readonly T[],
  prefix: string,
  kind: string,
  titleOf: (member: T) => string,
): Generator<BackupEvent, void> {
  for (const member of sortedBy(all, ({ id }) => id)) {
    yield record(`${prefix}${member.id}.json`, kind, titleOf(member), recordForm(member));
  }
}

function withSortedOptions(field: BoardTree["customFields"][number]): BoardTree["customFields"][number] {
  return { ...field, options: sortedBy(field.options, ({ id, _id }) => id ?? _id ?? "") };
}

/** Counts of what is on the board. Its cards are counted where they are read. */
function* reportCounts(tree: BoardTree): Generator<BackupEvent, void> {
  const counts: Record<string, number> = {
    list: tree.lists.length,
    label: tree.labels.length,
    "custom-field": tree.customFields.length,
    member: tree.members.length,
  };
  for (const [kind, count] of Object.entries(counts)) yield { type: "reported", kind, count };
}
