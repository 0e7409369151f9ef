import { z } from "zod";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { detailsSchema } from "../authorize.ts";
import { entryKinds } from "../entry-kinds.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredWorkspace } from "../records.ts";
import { UNSUPPORTED } from "./old-page.ts";
import { rootsValue, sortedRoots } from "./roots.ts";
import { sinceText } from "./turns.ts";
import type { Work } from "./workspace-run.ts";

const limitSchema = z.looseObject({ maxUploadBytes: z.number().nullable().catch(null) });

/** What Notion's API does not give, and how old each part of a version may be. */
const NOTES = [
  "A version has the pages that the owner picked at Notion, and what is below them.",
  "Not in Notion's API: the history of pages, who may see them, resolved discussions, buttons and automations, favourites, and the order of the sidebar.",
  "Guests are not in Notion's list of people.",
  "Values of rollups and formulas are those that Notion gave when the row last changed. A list in a rollup has at most 25 members.",
  "Changes that Notion does not date are found within 7 days, and comments on blocks within 30 days.",
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
      next.marks[UNSUPPORTED] = String(next.counts[UNSUPPORTED] ?? 0);
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

function workspaceOf({ run, gone, hasComments }: Work): StoredWorkspace {
  const details = detailsSchema.safeParse(run.session.connectionDetails).data ?? null;
  const owner =
    details === null || details.personId === null
      ? null
      : { id: details.personId, name: details.fullName ?? "", email: details.email };
  const { externalId: id, name, details: facts } = run.order.item;
  const { maxUploadBytes } = limitSchema.parse(facts ?? {});
  const unsupported = run.next.counts[UNSUPPORTED] ?? 0;
  const markers = `Blocks that Notion's API does not support are kept as markers without content: ${unsupported}.`;
  const ages = agesOf(run.next.marks, hasComments);
  return { id, name, owner, notes: [...NOTES, ...ages, markers, ...goneNotes(gone)], maxUploadBytes };
}

/** How old the parts are that no change announces. */
function agesOf(marks: StagesRun["next"]["marks"], hasComments: boolean): string[] {
  const looked = sinceText(marks, "look");
  const commented = sinceText(marks, "comments");
  const ages = [];
  if (looked !== null) ages.push(`All pages were looked at as a whole on ${looked} or later.`);
  if (hasComments)
    ages.push(
      commented === null
        ? "Comments on blocks were not read on all pages yet."
        : `Comments on blocks were read on all pages on ${commented} or later.`,
    );
  return ages;
}

/** What Notion no longer finds: it does not tell a page that was deleted for good from one that is no longer shared. */
function goneNotes(gone: readonly string[]): string[] {
  if (gone.length === 0) return [];
  const named = gone.filter((title) => title !== "").map((title) => `“${title}”`);
  const more = gone.length - named.length;
  const all = more === 0 ? named.join(", ") : `${named.join(", ")} and ${more} more`;
  return [`No longer here, because they were deleted for good or the owner no longer shares them: ${all}.`];
}
