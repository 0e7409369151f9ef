import { expect, test } from "vitest";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { connector } from "../connector.ts";
import { recordPaths } from "../record-paths.ts";
import { issueFacts, mergeRequestFacts, NOTES } from "./thread-facts.ts";

const at = "2026-03-01T10:00:00.000Z";
const ivo = { id: 1, username: "ivo", name: "Ivo Petrov" };
const issue = { id: 70, iid: 7, title: "Gate", state: "opened", created_at: at, updated_at: at, author: ivo };
const request = { ...issue, source_branch: "fix", target_branch: "main" };

/** The releases of a version, dated by their tags. */
async function releasesOf(dates: Record<string, string | null>): Promise<ThreadsView> {
  async function* events(): AsyncGenerator<BackupEvent> {
    for (const [tag_name, released_at] of Object.entries(dates)) {
      const assets = { links: [{ name: "crane.bin", url: "https://files.example/crane.bin" }] };
      const value = { tag_name, released_at, description: "Notes", author: ivo, assets } as Json;
      yield { type: "record", path: recordPaths.release(tag_name), kind: "release", title: tag_name, value };
    }
  }
  const views = await connector.views(await takeSnapshot(events()));
  const [view] = views;
  if (view?.kind !== "thread") throw new Error("There are no releases");
  return await view.open();
}

test("releases are ordered by date, not by tag, and each lists its files", async () => {
  const releases = await releasesOf({
    "v1.9": "2026-01-01T00:00:00Z",
    "v1.10": "2026-02-01T00:00:00Z",
    "team/2026": "2026-03-01T00:00:00Z",
    draft: null,
  });
  const rows = await allOf(releases.threads(null));
  expect(rows.map(({ key }) => key)).toEqual(["team/2026", "v1.10", "v1.9", "draft"]);
  const [first] = rows;
  expect(first?.id).not.toContain("/");
  expect((await allOf(releases.threads(first?.id ?? ""))).map(({ key }) => key)).toEqual([
    "v1.10",
    "v1.9",
    "draft",
  ]);
  expect(await releases.thread(first?.id ?? "")).toMatchObject({
    ...{ key: "team/2026", author: "ivo", text: "Notes" },
    files: [{ name: "crane.bin", path: null, url: "https://files.example/crane.bin" }],
  });
  expect(await allOf(releases.threads("none"))).toEqual([]);
});

test("issues and merge requests use GitLab's words, with their fields as facts", () => {
  expect(issueFacts({ ...issue, due_date: "2026-04-01", weight: 0, confidential: true })).toMatchObject({
    ...{ key: "#7", state: { label: "Open", isOpen: true }, author: "ivo", text: "" },
    fields: [
      { name: "Due", value: "2026-04-01" },
      { name: "Weight", value: "0" },
      { name: "Confidential", value: "Yes" },
    ],
  });
  const merged = mergeRequestFacts({
    ...{ ...request, state: "merged", merged_by: ivo, assignees: [ivo], labels: ["bug"] },
    approved_by: [{ by: { username: "asa" }, at: null }, { by: null }],
    award_emoji: [{ name: "tada" }, { name: "tada" }, { name: "crane" }],
  });
  expect(merged).toMatchObject({
    ...{ key: "!7", state: { label: "Merged", isOpen: false } },
    tags: [{ name: "bug" }],
    reactions: [
      { sign: "🎉", count: 2 },
      { sign: ":crane:", count: 1 },
    ],
    fields: [
      { name: "From branch", value: "fix" },
      { name: "Into branch", value: "main" },
      { name: "Merged by", value: "ivo" },
      { name: "Approved by", value: "asa, somebody" },
      { name: "Assignees", value: "ivo" },
    ],
  });
  expect(mergeRequestFacts({ ...request, draft: true }).state).toEqual({ label: "Draft", isOpen: true });
  expect(mergeRequestFacts({ ...request, draft: true, state: "closed" }).state?.label).toBe("Closed");
  expect(issueFacts({ ...issue, state: "locked" }).state).toEqual({ label: "Being merged", isOpen: true });
});

test("a system note is an event, and a comment shows its place and whether it is resolved", () => {
  const note = (more: object) =>
    NOTES.read({
      path: "issues/000000000007/notes/000000000001.json",
      value: { id: 1, body: "added ~bug label", author: ivo, created_at: at, ...more } as Json,
    });
  expect(note({ system: true })).toMatchObject({ type: "event", author: "ivo", about: null });
  for (const [body, topic] of [
    ["added ~3 label", "label"],
    ["assigned to @nora", "person"],
    ["closed", "state"],
    ["merged", "merge"],
    ["mentioned in commit abc", "branch"],
    ["changed the description", "text"],
    ["enabled an automatic something", undefined],
  ])
    expect(note({ system: true, body })?.topic).toBe(topic);
  expect(note({ system: false, body: "closed" })?.topic).toBeUndefined();
  expect(note({})).toMatchObject({ type: "comment", at: Date.parse(at), about: null });
  const position = { new_path: "src/a.ts", new_line: 12 };
  expect(note({ position, resolved: true, resolved_by: { username: "asa" } })?.about).toBe(
    "src/a.ts, line 12; Resolved by asa",
  );
  expect(note({ position: { old_path: "gone.ts" }, internal: true })?.about).toBe("gone.ts; Internal note");
});
