import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { detailsSchema } from "../authorize.ts";
import { entryKinds } from "../entry-kinds.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredWorkspace } from "../records.ts";
import { rootsValue, sortedRoots } from "./roots.ts";
import type { Work } from "./workspace-run.ts";

/** What Notion's API does not give, and how old each part of a version may be. */
const NOTES = [
  "A version has the pages that the owner picked at Notion, and what is below them.",
  "Not in Notion's API: the history of pages, who may see them, resolved discussions, buttons and automations, favourites, and the order of the sidebar.",
  "Guests are not in Notion's list of people.",
  "Values of rollups and formulas are those that Notion gave when the row last changed. A list in a rollup has at most 25 members.",
  "Changes that Notion does not date are read within 7 days, and comments on blocks within 30 days.",
  "Blocks that Notion's API does not support are kept as a marker without content.",
];

/** The record of the workspace, the roots of its tree, and the counts of the version. */
export function finishStage(open: (run: Work["run"]) => Work): BackupStage {
  return {
    id: "finish",
    async *run(run) {
      const work = open(run);
      const { item } = run.order;
      const value = workspaceOf(work);
      yield { type: "record", path: recordPaths.workspace, kind: "workspace", title: item.name, value };
      const roots = sortedRoots(work.roots.values());
      yield { type: "record", path: recordPaths.roots, kind: "roots", value: rootsValue(roots) };
      const { next } = run;
      next.counts.workspace = 1;
      next.counts.roots = 1;
      next.marks.roots = JSON.stringify(roots.map(({ type, id, createdAt }) => [type, id, createdAt]));
      next.marks.retry = [...work.retry].sort().join(",");
      next.marks.day = String(run.notes.today);
      for (const kind of Object.keys(entryKinds)) {
        const count = next.counts[kind] ?? 0;
        if (count > 0) yield { type: "reported", kind, count };
      }
      // The next backup counts what the version has.
      next.counts = {};
      work.save();
    },
  };
}

function workspaceOf({ run, gone }: Work): StoredWorkspace {
  const details = detailsSchema.safeParse(run.session.connectionDetails).data ?? null;
  const owner =
    details === null || details.personId === null
      ? null
      : { id: details.personId, name: details.fullName ?? "", email: details.email };
  const { externalId: id, name } = run.order.item;
  return { id, name, owner, notes: [...NOTES, ...goneNotes(gone)] };
}

/** What Notion no longer finds: it does not tell a page that was deleted for good from one that is no longer shared. */
function goneNotes(gone: readonly string[]): string[] {
  if (gone.length === 0) return [];
  const named = gone.filter((title) => title !== "").map((title) => `“${title}”`);
  const more = gone.length - named.length;
  const all = more === 0 ? named.join(", ") : `${named.join(", ")} and ${more} more`;
  return [`No longer here, because they were deleted for good or the owner no longer shares them: ${all}.`];
}
