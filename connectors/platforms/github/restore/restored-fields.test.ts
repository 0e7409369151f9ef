import { expect, test } from "vitest";
import type { RestoredItem } from "#connectors/contract/platform-connector.ts";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import {
  expectRestored,
  type Fields,
  type OtherWay,
  type Pair,
  pairUp,
  type RestoredThing,
  recordsOf,
} from "#tests/conformance/coverage/expect-restored.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import { coverage } from "../coverage.ts";
import type { Repository } from "../simulator/state.ts";
import { openWorld, versionOf } from "./restore-test-world.ts";

type Open = Awaited<ReturnType<typeof openWorld>>;

const IVO = "ivo-petrov";
const AT = "2026-03-02T10:22:00Z";
const reaction = (id: number) => ({
  id,
  ...{ login: IVO, content: "rocket" as const, createdAt: "2026-03-01T10:00:00Z" },
});

/** A repository in which every field that a restore brings back has a value. */
async function makeEverything(open: Open): Promise<Repository> {
  const { world, octokit } = open;
  const repository = await world.makeRepository("depot");
  const at = { owner: repository.owner, repo: "depot" };
  const tell = async (what: string, order: object) => {
    const url = `${world.simulator.url}/__sim/github/repos/${repository.owner}/depot/${what}`;
    expect((await fetch(url, { method: "POST", body: JSON.stringify(order) })).status).toBe(200);
  };
  runGit(world.directory(repository), ["branch", "feature", "main"]);
  await addCommits(world.directory(repository), { count: 2, branch: "feature" });
  await tell("generate", { issues: 2, pulls: 1, commentsPerIssue: 1, reviewsPerPull: 4, discussions: 1 });
  await tell("features", { hasDiscussions: true });
  const due = { title: "Spring", description: "When the ice is gone", due_on: "2026-03-31T08:00:00Z" };
  await octokit.rest.issues.createMilestone({ ...at, ...due, state: "closed" });
  await octokit.rest.issues.createLabel({ ...at, name: "crane", color: "ff8800", description: "Cranes" });
  await octokit.rest.pulls.create({
    ...at,
    title: "Oil it",
    body: "Oil!",
    head: "feature",
    base: "main",
    draft: true,
  });
  await octokit.rest.repos.createAutolink({
    ...{ ...at, key_prefix: "TICKET-", url_template: "https://example.com/<num>", is_alphanumeric: false },
  });
  await octokit.rest.repos.createCommitComment({
    ...{ ...at, commit_sha: runGit(world.directory(repository), ["rev-parse", "main"]).trim() },
    ...{ body: "Too fast", path: "changes/1.md", position: 1 },
  });
  const release = await octokit.rest.repos.createRelease({
    ...{ ...at, tag_name: "v1.0", name: "First crane", body: "Lifts", prerelease: true },
  });
  const draft = { tag_name: "v2.0", name: "Next crane", body: "Lifts more", draft: true };
  await octokit.rest.repos.createRelease({ ...at, ...draft });
  await octokit.rest.repos.uploadReleaseAsset({
    ...{ ...at, release_id: release.data.id, name: "crane.csv", label: "For ferries", data: "a,b" },
    headers: { "content-type": "text/csv" },
    url: release.data.upload_url,
  });
  const records = world.simulator.world.records.of(repository);
  const label = records.labels.find(({ name }) => name === "crane")?.id ?? 0;
  const [parent, child, merged, open_] = records.issues;
  if (!parent || !child || !merged?.pull || !open_) throw new Error("an issue is missing");
  const facts = {
    ...{ author: IVO, assignees: [IVO], labelIds: [label], milestone: 1, createdAt: "2026-02-01T09:00:00Z" },
    ...{ isLocked: true, lockReason: "resolved" },
  };
  for (const [index, issue] of records.issues.entries())
    Object.assign(issue, { ...facts, reactions: [reaction(900 + index)] });
  Object.assign(parent, { state: "closed", stateReason: "not_planned", closedAt: AT, closedBy: IVO });
  Object.assign(child, { state: "open", stateReason: null, closedAt: null, parent: parent.number });
  Object.assign(merged, { state: "closed", closedAt: AT, closedBy: IVO });
  Object.assign(merged.pull, { mergedAt: AT, mergedBy: IVO });
  for (const comment of records.comments)
    Object.assign(comment, { author: IVO, minimizedAs: "off-topic", reactions: [reaction(comment.id + 1)] });
  for (const comment of records.commitComments ?? [])
    Object.assign(comment, { author: IVO, reactions: [reaction(comment.id + 1)] });
  const states = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED", "COMMENTED"] as const;
  for (const [index, review] of records.reviews.entries())
    Object.assign(review, { author: IVO, state: states[index] });
  const [first, ...replies] = records.reviewComments;
  for (const comment of records.reviewComments)
    Object.assign(comment, {
      ...{ author: IVO, body: `Why ${comment.id}?`, diffHunk: "@@ -1 +1 @@\n+crane" },
      ...{ replyTo: null, reactions: [reaction(comment.id + 1)] },
    });
  if (replies[0]) replies[0].replyTo = first?.id ?? null;
  for (const one of records.releases) Object.assign(one, { author: IVO, reactions: [reaction(one.id + 1)] });
  const [discussion] = records.discussions;
  const [remark] = records.discussionComments;
  if (!discussion || !remark) throw new Error("there is no discussion");
  const talked = { author: IVO, isLocked: true, labelIds: [label], answer: remark.id };
  Object.assign(discussion, { ...talked, reactions: [reaction(discussion.id + 1)] });
  for (const comment of records.discussionComments)
    Object.assign(comment, { author: IVO, minimizedAs: "outdated", reactions: [reaction(comment.id + 1)] });
  return repository;
}

/** A repository with other settings than those of a new one. */
async function makeSwitchedOff({ world, octokit }: Open): Promise<Repository> {
  const repository = await world.makeRepository("switched-off");
  const at = { owner: repository.owner, repo: "switched-off" };
  const off = { has_issues: false, has_projects: false, has_wiki: false };
  await octokit.rest.repos.update({ ...at, ...off, default_branch: "release/1.x" });
  return repository;
}

async function restoreOf(open: Open, version: MemorySnapshot, name: string) {
  const { item } = await runRestore(connector.restore(open.session(), version, asNew(name), memoryJournal()));
  return { item, again: await backUpOf(open, "repository", item) };
}

async function backUpOf(open: Open, kind: string, item: Pick<RestoredItem, "externalId" | "fullName">) {
  const by = open.session();
  const found = await connector.getItem(by, { kind, externalId: item.externalId, fullName: item.fullName });
  return await takeSnapshot(connector.backUp(by, { item: found, previous: null, cursor: null }));
}

/** The repository as GitHub shows it. */
async function shownBy({ octokit }: Open, owner: string, repo: string): Promise<Fields> {
  return (await octokit.rest.repos.get({ owner, repo })).data as unknown as Fields;
}

const textOf = ({ after }: Pair) => String(after.body);
/** A field that a line above the text, or the text, names. */
const says = (because: string, phraseOf: (before: Fields) => string | undefined): OtherWay => ({
  because,
  holds: (pair) => {
    const phrase = phraseOf(pair.before);
    return phrase !== undefined && textOf(pair).includes(phrase);
  },
});
const nested = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value[name] : undefined;
const login = (person: Json | undefined) => `**${String(nested(person, "login"))}**`;
const moment = (value: Json | undefined) => momentText(String(value));
const WRITER = "GitHub shows the restoring account as the author, so a line names the original one.";
const BELOW = "The text stands below a line that names its origin.";
const OWN_ADDRESS = "A copy has its own address; the line links the original.";
const AS_ITSELF = "An app can react as its own account only, so a line counts them.";
const NO_DATES = "Only the import takes dates; a line names them otherwise.";

const origin = {
  body: says(BELOW, ({ body }) => String(body).trimEnd()),
  user: says(WRITER, ({ user }) => login(user)),
  html_url: says(OWN_ADDRESS, ({ html_url }) => String(html_url).replace(/^https?:\/\//, "")),
  reactions: says(AS_ITSELF, () => "Reactions: 🚀 1."),
};
const hidden = says("An app cannot hide comments, so a line says it.", ({ minimized }) =>
  nested(minimized, "reason") === "outdated" ? "Hidden as outdated" : "Hidden as off-topic",
);
const ofDiscussion = {
  ...{ body: origin.body, reactions: origin.reactions },
  author: says(WRITER, ({ author }) => login(author)),
  createdAt: says("The restored issue or comment has another form; a line names the time.", ({ createdAt }) =>
    moment(createdAt),
  ),
  url: says(OWN_ADDRESS, ({ url }) => String(url).replace(/^https?:\/\//, "")),
};

const created = { created_at: says(NO_DATES, ({ created_at }) => moment(created_at)) };
const closed = { closed_at: says(NO_DATES, ({ closed_at }) => moment(closed_at)) };
const assignees = says("Assigning notifies people, so a line names them.", () => `Assigned to ${IVO}.`);

/** Labels by name, milestones by title, people by login. */
function plain(value: Json, field: string): unknown {
  if (field === "labels" && Array.isArray(value)) return value.map((one) => nested(one, "name") ?? one);
  if (field === "milestone") return nested(value, "title");
  if (field === "topics" && Array.isArray(value)) return value.toSorted();
  if (field === "assets" && Array.isArray(value))
    return value.map((one) => [nested(one, "name"), nested(one, "label"), nested(one, "content_type")]);
  return value;
}

/** A branch of a pull request: an open one has it again, another one names it. */
const branchWay = (field: "head" | "base"): OtherWay => ({
  because:
    "Only an open pull request becomes one again; the text of another one names its branches and commit.",
  holds: ({ before, after }) => {
    const ref = String(nested(before[field], "ref"));
    if (nested(after[field], "ref") === ref)
      return nested(after[field], "sha") === nested(before[field], "sha");
    const isNamed = field === "base" || String(after.body).includes(String(nested(before.head, "sha")));
    return isNamed && String(after.body).includes(ref);
  },
});

async function threadsOf(
  before: MemorySnapshot,
  after: MemorySnapshot,
  byImport: boolean,
): Promise<Record<string, RestoredThing>> {
  const comments = [...(await recordsOf(after, "issue-comment"))];
  const threads = [...(await recordsOf(after, "issue")), ...(await recordsOf(after, "pull-request"))];
  const saysBody = (one: Fields, copy: Fields) => String(copy.body).includes(String(one.body).trimEnd());
  const commentsOf = async (kind: string) => pairUp(await recordsOf(before, kind), comments, saysBody);
  const threadPairs = async (kind: string) =>
    pairUp(await recordsOf(before, kind), threads, (one, copy) => one.number === copy.number);
  const dates: Record<string, OtherWay> = byImport ? {} : created;
  const ends: Record<string, OtherWay> = byImport ? {} : closed;
  const verdicts: Readonly<Record<string, string>> = {
    ...{ APPROVED: "A review: approved.", CHANGES_REQUESTED: "A review: changes requested." },
    ...{ DISMISSED: "A review that was dismissed.", COMMENTED: "A review." },
  };
  const reason = says("The import takes no reason.", () => " as not planned.");
  const { reactions: _, ...ofPulls } = origin;
  return {
    Issues: {
      pairs: await threadPairs("issue"),
      plain,
      ways: {
        ...{ ...origin, ...dates, ...ends, assignees },
        ...(byImport ? { state_reason: reason } : {}),
        parent_issue_url: {
          because: "It names the new repository.",
          holds: ({ before: one, after: copy }) =>
            String(copy.parent_issue_url).split("/").at(-1) ===
            String(one.parent_issue_url).split("/").at(-1),
        },
      },
    },
    "Pull requests": {
      pairs: await threadPairs("pull-request"),
      plain,
      ways: {
        ...{ ...ofPulls, ...created, ...ends, assignees },
        draft: {
          because: "A closed one becomes an issue, which cannot be a draft.",
          holds: ({ before: one, after: copy }) => one.draft === copy.draft || one.state === "closed",
        },
        merged_at: says("A merge cannot be repeated, so the text names it.", ({ merged_at }) =>
          moment(merged_at),
        ),
        merged_by: says("A merge cannot be repeated, so the text names it.", () => `by ${IVO}`),
        ...{ head: branchWay("head"), base: branchWay("base") },
      },
    },
    Comments: {
      pairs: await commentsOf("issue-comment"),
      ways: { ...origin, ...dates, minimized: hidden },
    },
    Reviews: {
      pairs: await commentsOf("review"),
      ways: {
        ...{ body: origin.body, user: origin.user, html_url: origin.html_url },
        state: says("A review becomes a comment.", ({ state }) => verdicts[String(state)]),
        submitted_at: {
          because: "A review becomes a comment of that time, or a line names it.",
          holds: (pair) =>
            pair.after.created_at === pair.before.submitted_at ||
            textOf(pair).includes(moment(pair.before.submitted_at)),
        },
      },
    },
    "Comments on code": {
      pairs: await commentsOf("review-comment"),
      ways: {
        ...{ ...origin, ...dates },
        path: says("It becomes a comment that names the place.", ({ path }) => `On \`${String(path)}\``),
        line: says("It becomes a comment that names the place.", ({ line }) => `line ${String(line)}.`),
        original_line: says("It becomes a comment that names the place.", (one) =>
          one.line === null ? `line ${String(one.original_line)}.` : `line ${String(one.line)}.`,
        ),
        diff_hunk: {
          because: "The lines stand above the text, except in a reply, which is about the same ones.",
          holds: (pair) => Boolean(pair.before.in_reply_to_id) || textOf(pair).includes("+crane"),
        },
        in_reply_to_id: says("GitHub puts the comments into one list.", () => `A reply to **${IVO}**`),
      },
    },
    Discussions: {
      pairs: pairUp(
        (await recordsOf(before, "discussion")).map((one) => ({ ...one, comments: 2 })),
        threads,
        (one, copy) => one.number === copy.number,
      ),
      plain,
      ways: {
        ...ofDiscussion,
        category: says("Only people make discussions, so it becomes an issue.", ({ category }) =>
          String(nested(category, "name")),
        ),
        answer: {
          because: "The text of the answer says that it is one.",
          holds: () => comments.some(({ body }) => String(body).includes("Marked as the answer.")),
        },
      },
    },
    "Comments of discussions": {
      pairs: pairUp(
        (await recordsOf(before, "discussion-comment")).map((one) => ({
          ...one,
          ...{ isMinimized: true, minimizedReason: nested(one.minimized, "reason"), replies: one.replyTo },
          isAnswer: one.isAnswer || undefined,
        })),
        comments,
        saysBody,
      ),
      ways: {
        ...ofDiscussion,
        replies: says(
          "GitHub puts the comments into one list; a reply says whom it answers.",
          () => "A reply to",
        ),
        replyTo: says("GitHub puts the comments into one list.", () => `A reply to **${IVO}**`),
        isAnswer: says("An issue has no answer.", () => "Marked as the answer."),
        isMinimized: says("An app cannot hide comments.", () => "Hidden as outdated"),
        minimizedReason: says("An app cannot hide comments.", () => "Hidden as outdated"),
      },
    },
  };
}

async function gistThings(open: Open): Promise<Record<string, RestoredThing>> {
  const { octokit } = open;
  const files = { "crane.md": { content: "# Crane" } };
  const { data } = await octokit.rest.gists.create({ description: "Crane maintenance", public: true, files });
  const source = { externalId: data.id ?? "", fullName: data.id ?? "" };
  const gist_id = source.externalId;
  await octokit.rest.gists.update({ gist_id, files: { "crane.md": { content: "# Crane, oiled" } } });
  await octokit.rest.gists.createComment({ gist_id, body: "Well done" });
  // Older than the copy, which may be made within the same second.
  for (const gist of open.world.simulator.world.state.gists)
    for (const comment of gist.comments)
      Object.assign(comment, { author: IVO, createdAt: "2025-02-01T09:00:00Z" });
  const version = await backUpOf(open, "gist", source);
  const journal = memoryJournal();
  const { item } = await runRestore(connector.restore(open.session(), version, asNew("N/A"), journal));
  const shown = async (id: string) =>
    (await octokit.rest.gists.get({ gist_id: id })).data as unknown as Fields;
  const again = await backUpOf(open, "gist", item);
  const comments = [
    await recordsOf(version, "gist-comment"),
    await recordsOf(again, "gist-comment"),
  ] as const;
  const { body, user } = origin;
  return {
    Gists: {
      pairs: [{ before: await shown(gist_id), after: await shown(item.externalId) }],
      plain: (value, field) => {
        if (field === "history") return Array.isArray(value) && value.map((one) => nested(one, "version"));
        if (field !== "files") return value;
        return Object.entries(value as Fields).map(([name, file]) => [name, nested(file, "content")]);
      },
    },
    "Comments of gists": {
      pairs: pairUp(...comments, (one, copy) => String(copy.body).includes(String(one.body))),
      ways: { body, user, created_at: says("No call takes a date.", (one) => moment(one.created_at)) },
    },
  };
}

test.each([
  ["single calls", false],
  ["GitHub's import", true],
])(
  "every field that is said to be restored comes back by %s",
  async (_way, byImport) => {
    const open = await openWorld({ offersImportToApps: byImport });
    const [depot, switchedOff] = [await makeEverything(open), await makeSwitchedOff(open)];
    const version = await versionOf(open, depot);
    expect(version.skipped).toEqual([]);
    const { again } = await restoreOf(open, version, "copy");
    await restoreOf(open, await versionOf(open, switchedOff), "switched-off-copy");
    await open.octokit.rest.repos.createForAuthenticatedUser({ name: "blank", private: true });
    const shown = (name: string) => shownBy(open, depot.owner, name);
    const recordPairs = async (kind: string, key: string) =>
      pairUp(
        await recordsOf(version, kind),
        await recordsOf(again, kind),
        (one, two) => one[key] === two[key],
      );
    const releases = await recordPairs("release", "tag_name");
    const { body, reactions, html_url } = origin;
    const links = (snapshot: MemorySnapshot) =>
      snapshot.readRecord("settings/autolinks.json") as Promise<Fields[]>;
    expectRestored(
      coverage,
      {
        Repository: {
          pairs: [
            { before: await shown("depot"), after: await shown("copy") },
            { before: await shown("switched-off"), after: await shown("switched-off-copy") },
          ],
          blank: await shown("blank"),
          plain,
          ways: {
            name: {
              because: "The restore makes a repository of the chosen name.",
              holds: ({ before, after }) => ["copy", `${before.name}-copy`].includes(String(after.name)),
            },
          },
        },
        Labels: { pairs: await recordPairs("label", "name") },
        Milestones: { pairs: await recordPairs("milestone", "title") },
        ...(await threadsOf(version, again, byImport)),
        Releases: {
          pairs: releases,
          plain,
          ways: {
            ...{ body, reactions, html_url },
            author: says(WRITER, ({ author }) => login(author)),
            published_at: says("GitHub takes no date.", ({ published_at }) => moment(published_at)),
          },
        },
        "Files of releases": {
          pairs: releases.flatMap(({ before, after }) =>
            pairUp(before.assets as Fields[], after.assets as Fields[], (one, two) => one.name === two.name),
          ),
        },
        "Comments on commits": {
          pairs: pairUp(
            await recordsOf(version, "commit-comment"),
            await recordsOf(again, "commit-comment"),
            (one, copy) => String(copy.body).includes(String(one.body)),
          ),
          ways: { ...origin, created_at: says("No call takes a date.", (one) => moment(one.created_at)) },
        },
        Autolinks: {
          pairs: pairUp(
            await links(version),
            await links(again),
            (one, two) => one.key_prefix === two.key_prefix,
          ),
        },
        ...(await gistThings(open)),
      },
      { Reactions: "A reaction is a line of the text that it is about, which the other things check." },
    );
  },
  120_000,
);
