import { expect, test } from "vitest";
import type { Note } from "#connectors/contract/note.ts";
import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import type { OpenVersion } from "#core/browsing/index.ts";
import { threadView } from "#core/exports/viewer/test-views.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { readThreads, type ThreadAddress } from "./queries.server.ts";
import { ThreadView } from "./thread-view.tsx";

const plain = { about: null, answers: null, reactions: [], files: [], editedAt: null, at: null };
const notes = Array.from({ length: 340 }, (_, at): Note => {
  return { ...plain, path: `issues/0/notes/${at}`, type: "comment", author: "nora", text: `Note ${at + 1}.` };
});

/** One thread with 340 notes; the mark of a page is the number of its last note. */
const view = async () => {
  const made = threadView(["Tracking stalls"]);
  const base = (await made.open()) as ThreadsView;
  const threads: ThreadsView = {
    ...base,
    notes: async (_id, { after, most }) => {
      const from = Number(after ?? 0);
      const until = Math.min(from + most, notes.length);
      return { notes: notes.slice(from, until), next: until < notes.length ? String(until) : null };
    },
    roleOf: ({ path }) => (path.includes("/notes/") ? { role: "note", partId: "0" } : null),
  };
  return { ...made, open: async () => threads };
};
const version = {
  connector: { views: async () => [await view()], entryKinds: {} },
  view: {
    async *list() {
      for (const { path } of notes) yield { path, kind: "comment" };
    },
  },
} as unknown as OpenVersion;

async function shown(place: Partial<ThreadAddress>): Promise<string> {
  const address: ThreadAddress = {
    ...{ viewId: null, state: null, search: null, after: null, part: "0", before: 0, isWhole: false },
    ...{ show: null, file: null, ...place },
  };
  const { opened } = await readThreads(version, address);
  const data = {
    ...{ platform: "github", itemId: "itm_1", snapshotId: "snp_1", parts: {}, timeZone: "UTC", now: 0 },
  };
  return renderScreen(<ThreadView data={data} opened={opened!} address={address} />);
}
const notesIn = (markup: string) => [...textOf(markup).matchAll(/Note (\d+)\./g)].map(([, at]) => Number(at));

test("a long thread says how much of it is shown, and leads to the next notes and to the rest", async () => {
  const markup = await shown({});
  expect(notesIn(markup)).toHaveLength(30);
  expect(textOf(markup)).toContain(
    "The first 30 of 340 comments and events Show the next comments Show the rest",
  );
  expect(markup).toMatch(/href="[^"]*after=30&amp;before=30"/);
  expect(markup).toMatch(/href="[^"]*after=30&amp;before=30&amp;all=1"/);
});

test("the rest is shown at once, as much as a page can hold", async () => {
  const markup = await shown({ after: "30", before: 30, isWhole: true });
  expect(notesIn(markup)).toHaveLength(300);
  expect(textOf(markup)).toContain("31 to 330 of 340 comments and events Back to the first");
  const end = await shown({ after: "330", before: 330 });
  expect(notesIn(end)).toEqual([331, 332, 333, 334, 335, 336, 337, 338, 339, 340]);
  expect(textOf(end)).toContain("331 to 340 of 340 comments and events Back to the first");
  expect(textOf(end)).not.toContain("Show the rest");
});
