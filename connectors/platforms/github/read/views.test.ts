import { afterAll, beforeAll, expect, test } from "vitest";
import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { openGithubConformance } from "../conformance-world.ts";
import { connector } from "../connector.ts";
import { eventSentence, eventTopic } from "./event-sentence.ts";
import { discussionFacts, issueFacts, pullFacts, releaseFacts } from "./thread-facts.ts";
import { REVIEW_COMMENT_NOTES, REVIEW_NOTES } from "./thread-notes.ts";

let world: ConformanceWorld;
let snapshot: MemorySnapshot;
beforeAll(async () => {
  world = await openGithubConformance("repository");
  const session = testSession({
    config: world.config,
    token: await world.issueToken(),
    accountName: world.accountName,
  });
  const item = await connector.getItem(session, { kind: world.kind, ...world.item });
  snapshot = await takeSnapshot(connector.backUp(session, { item, previous: null, cursor: null }));
});
afterAll(() => world.stop());

async function threadsOf(id: string): Promise<ThreadsView> {
  const view = (await connector.views(snapshot)).find((each) => each.id === id);
  if (view?.kind !== "thread") throw new Error(`There is no view ${id}`);
  return await view.open();
}

test("a repository shows its files, issues, pull requests, discussions, releases and wiki", async () => {
  const views = await connector.views(snapshot);
  expect(views.map(({ kind, id, label }) => [kind, id, label])).toEqual([
    ["files", "git", "Files"],
    ["thread", "issues", "Issues"],
    ["thread", "pulls", "Pull requests"],
    ["thread", "discussions", "Discussions"],
    ["thread", "releases", "Releases"],
    ["files", "wiki", "Wiki"],
  ]);
});

test("issues are listed with the newest number first, each with its state, author and labels", async () => {
  const issues = await threadsOf("issues");
  const rows = await allOf(issues.threads(null));
  const numbers = rows.map(({ id }) => Number(id));
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  expect(rows.every(({ key, id }) => key === `#${id}`)).toBe(true);
  for (const { state, author, at } of rows) {
    expect(state?.label).toMatch(/^(Open|Closed( as (completed|not planned))?)$/);
    expect([typeof author, typeof at]).toEqual(["string", "number"]);
  }
});

test("an issue shows its comments and events as one conversation", async () => {
  const issues = await threadsOf("issues");
  const types = new Set<string>();
  for await (const { id } of issues.threads(null)) {
    const { notes } = await issues.notes(id, { after: null, most: 100 });
    for (const { type, text } of notes) {
      types.add(type);
      expect(text).not.toBe("");
    }
  }
  expect([...types].sort()).toEqual(["comment", "event"]);
});

test("a release lists its files with their paths in the version", async () => {
  const releases = await threadsOf("releases");
  const [row] = await allOf(releases.threads(null));
  const release = await releases.thread(row?.id ?? "");
  expect(release).toMatchObject({ key: "v1.0", title: "First", files: [{ name: "crane.bin", url: null }] });
  expect(await snapshot.find(release?.files[0]?.path ?? "")).toMatchObject({ type: "stream" });
});

test("states of issues and pull requests use GitHub's words", () => {
  const bare = { number: 7, title: "T" };
  const label = (facts: { state: { label: string; isOpen: boolean } | null }) =>
    facts.state && [facts.state.label, facts.state.isOpen];
  expect(label(issueFacts(bare))).toBeNull();
  expect(label(issueFacts({ ...bare, state: "open" }))).toEqual(["Open", true]);
  expect(label(issueFacts({ ...bare, state: "closed", state_reason: "not_planned" }))).toEqual([
    "Closed as not planned",
    false,
  ]);
  expect(label(pullFacts({ ...bare, state: "open", draft: true }))).toEqual(["Draft", true]);
  expect(label(pullFacts({ ...bare, state: "closed" }))).toEqual(["Closed", false]);
  expect(label(pullFacts({ ...bare, state: "closed", merged_at: "2026-01-01T00:00:00Z" }))).toEqual([
    "Merged",
    false,
  ]);
  expect(label(discussionFacts({ ...bare, answer: 5 }))).toEqual(["Answered", true]);
  expect(label(discussionFacts({ ...bare, answer: 5, closed: true }))).toEqual(["Closed", false]);
  expect(label(releaseFacts({ tag_name: "v1", prerelease: true }))).toEqual(["Pre-release", true]);
});

test("fields of a pull request become facts; missing ones are omitted", () => {
  const facts = pullFacts({
    ...{ number: 7, title: "T", user: null, merged_by: { login: "ivo" }, locked: true },
    ...{ head: { ref: "fix", repo: { full_name: "ivo/api" } }, base: { ref: "main" } },
    ...{ assignees: [{ login: "asa" }, { login: "nora" }], milestone: { number: 1, title: "Spring" } },
    reactions: { "+1": ["a", "b"], odd: ["c"] },
  });
  expect(facts.fields).toEqual([
    { name: "From branch", value: "ivo/api: fix" },
    { name: "Into branch", value: "main" },
    { name: "Merged by", value: "ivo" },
    { name: "Assignees", value: "asa, nora" },
    { name: "Milestone", value: "Spring" },
    { name: "Locked", value: "Yes" },
  ]);
  expect(facts.reactions).toEqual([
    { sign: "👍", count: 2 },
    { sign: "odd", count: 1 },
  ]);
  expect(pullFacts({ number: 7, title: "T" })).toMatchObject({
    fields: [],
    author: null,
    at: null,
    text: "",
  });
});

test("a review shows its verdict and an empty one is omitted; a line comment names its line and its parent", () => {
  const review = (value: object) =>
    REVIEW_NOTES.read({ path: "pulls/1/reviews/2.json", value: value as never });
  expect(review({ state: "APPROVED", body: "", user: { login: "ivo" } })).toMatchObject({
    about: "Approved",
    author: "ivo",
  });
  expect(review({ state: "COMMENTED", body: "" })).toBeNull();
  expect(review({ state: "COMMENTED", body: "Nice" })).toMatchObject({ about: null, text: "Nice" });
  const line = REVIEW_COMMENT_NOTES.read({
    path: "pulls/000000000001/review-comments/000000000009.json",
    value: { body: "Why?", path: "src/a.ts", line: null, original_line: 12, in_reply_to_id: 8 },
  });
  expect(line).toMatchObject({
    about: "src/a.ts, line 12",
    answers: "pulls/000000000001/review-comments/000000000008.json",
  });
});

test("events are sentences without their author; events that GitHub's page hides are omitted", () => {
  const sentences = [
    ["closed", { state_reason: "completed" }, "closed this as completed"],
    ["closed", {}, "closed this"],
    ["labeled", { label: { name: "bug" } }, "added the label bug"],
    ["assigned", { assignee: { login: "asa" } }, "assigned asa"],
    ["renamed", { rename: { from: "A", to: "B" } }, "changed the title from A to B"],
    ["merged", { commit_id: "0123456789" }, "merged this in commit 0123456"],
    ["review_requested", { requested_team: { name: "Crane" } }, "asked Crane for a review"],
    ["labeled", { label: 5 }, "added the label that is gone"],
    ["something_new", {}, "something new"],
    ["constructor", {}, "constructor"],
    ["mentioned", {}, null],
  ] as const;
  for (const [event, details, sentence] of sentences) expect(eventSentence(event, details)).toBe(sentence);
  expect(["labeled", "merged", "assigned", "constructor"].map(eventTopic)).toEqual([
    "label",
    "merge",
    "person",
    undefined,
  ]);
});
