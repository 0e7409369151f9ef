import { createHash } from "node:crypto";
import { createNoise, type Noise } from "#connectors/toolkit/simulator/history-script.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { noisyBytes } from "#connectors/toolkit/simulator/seed-prose.ts";
import { writeAsset } from "./asset-files.ts";
import { compareCommits } from "./pull-git.ts";
import type { Issue, PullFacts, RepositoryRecords } from "./records.ts";
import { REACTIONS } from "./records.ts";
import { defaultBranch, gitDirectory, listRefs } from "./repositories.ts";
import { DEMO_LABELS, DEMO_MILESTONES, DEMO_PULLS, DEMO_THREADS, type DemoThread } from "./seed-threads.ts";
import { type GithubWorld, nextId, type Repository, timestamp } from "./state.ts";
import { addComment, addEvent, openIssue, setLabels, type ThreadWork, touch } from "./threads.ts";

/** The last author left the company. Her account is deleted and appears as `ghost`. */
const AUTHORS = ["nora-lindqvist", "ivo-petrov", "asa-nystrom"];
const HOUR_MS = 3_600_000;
const BEGINNING = Date.UTC(2025, 0, 13, 8, 30);
/** Latest time in the demo. */
const END = Date.UTC(2026, 10, 18, 16);

type Seeding = {
  world: GithubWorld;
  repository: Repository;
  records: RepositoryRecords;
  noise: Noise;
  clock: { at: number; pace: number };
};

/** Seeds a repository's records by its plan: pull requests for the existing refs, then issues. */
export function seedRecords(
  world: GithubWorld,
  repository: Repository,
  plan: { issues: number; seed: number },
): void {
  const records = world.records.of(repository);
  const pulls = pullRefs(world, repository);
  const steps = (plan.issues + pulls.length) * 5;
  const seeding: Seeding = {
    world,
    repository,
    records,
    noise: createNoise(plan.seed),
    clock: { at: BEGINNING, pace: (END - BEGINNING) / Math.max(1, steps) },
  };
  seedLists(seeding);
  for (const [index, { head }] of pulls.entries()) {
    const thread = DEMO_PULLS[index % DEMO_PULLS.length];
    if (thread) seedPull(seeding, thread, head, index);
  }
  for (let index = 0; index < plan.issues; index += 1) {
    const thread = DEMO_THREADS[(index + plan.seed) % DEMO_THREADS.length];
    if (thread) seedThread(seeding, thread, null);
  }
  seedReleases(seeding);
  world.records.save(repository);
}

/** The next time, about one pace later, but never after the end. */
function tick({ noise, clock }: Seeding): string {
  clock.at = Math.min(END, clock.at + Math.max(HOUR_MS, clock.pace * (0.4 + noise())));
  return timestamp(clock.at);
}

function person({ noise }: Seeding): string {
  return AUTHORS[Math.floor(noise() * noise() * AUTHORS.length * 1.4) % AUTHORS.length] ?? "ghost";
}

function seedLists(seeding: Seeding): void {
  const { world, records } = seeding;
  for (const [name, color, description] of DEMO_LABELS) {
    records.labels.push({ id: nextId(world.state), name, color, description, isDefault: false });
  }
  for (const [title, day, isOver] of DEMO_MILESTONES) {
    const dueOn = day === null ? null : `${day}T08:00:00Z`;
    records.milestones.push({
      id: nextId(world.state),
      number: records.nextMilestone,
      title,
      description: day === null ? null : `Everything that must be there by ${day}.`,
      state: isOver ? "closed" : "open",
      creator: "nora-lindqvist",
      dueOn,
      createdAt: timestamp(BEGINNING),
      updatedAt: timestamp(BEGINNING),
      closedAt: isOver ? dueOn : null,
    });
    records.nextMilestone += 1;
  }
}

function pullRefs(world: GithubWorld, repository: Repository): { number: number; head: string }[] {
  return listRefs(world, repository, "refs/pull/")
    .filter(({ name }) => name.endsWith("/head"))
    .map(({ name, commit }) => ({ number: Number(name.split("/")[0]), head: commit }))
    .sort((a, b) => a.number - b.number);
}

function seedThread(seeding: Seeding, thread: DemoThread, pull: PullFacts | null): Issue {
  const { world, records, noise } = seeding;
  const work = (login: string): ThreadWork => ({ world, records, login });
  const createdAt = tick(seeding);
  const author = person(seeding);
  const issue = openIssue(work(author), {
    title: thread.title,
    body: thread.body === "" ? null : thread.body,
    createdAt,
    pull: pull ?? undefined,
    milestone: noise() < 0.5 ? 1 + Math.floor(noise() * DEMO_MILESTONES.length) : null,
    assignees: noise() < 0.5 ? [noise() < 0.5 ? "nora-lindqvist" : "ivo-petrov"] : [],
  });
  issue.pull = pull;
  const labels = records.labels.filter(({ name }) => thread.labels?.includes(name));
  const before = records.events.length;
  setLabels(work(author), issue, labels);
  for (const event of records.events.slice(before)) event.createdAt = createdAt;
  issue.updatedAt = createdAt;
  for (const body of thread.comments ?? []) {
    const comment = addComment(work(person(seeding)), issue, { body, createdAt: tick(seeding) });
    seedReactions(seeding, comment);
  }
  seedReactions(seeding, issue);
  if (thread.isClosed) close(seeding, issue);
  return issue;
}

function seedReactions(
  { world, noise }: Seeding,
  thing: { reactions: Issue["reactions"]; createdAt: string },
): void {
  for (const login of ["nora-lindqvist", "ivo-petrov"]) {
    if (noise() > 0.25) continue;
    const content = REACTIONS[Math.floor(noise() * REACTIONS.length)] ?? "+1";
    thing.reactions.push({ id: nextId(world.state), login, content, createdAt: thing.createdAt });
  }
}

function close(seeding: Seeding, issue: Issue): void {
  const { world, records, noise } = seeding;
  const at = tick(seeding);
  const login = noise() < 0.6 ? "nora-lindqvist" : "ivo-petrov";
  issue.state = "closed";
  issue.closedAt = at;
  issue.closedBy = login;
  const isMerged = issue.pull !== null && noise() < 0.8;
  if (issue.pull && isMerged) {
    issue.pull.mergedAt = at;
    issue.pull.mergedBy = login;
    issue.pull.mergeSha = issue.pull.headSha;
    addEvent({ world, records, login }, issue, "merged", { commit_id: issue.pull.headSha }, at);
  }
  if (!issue.pull) issue.stateReason = noise() < 0.8 ? "completed" : "not_planned";
  addEvent({ world, records, login }, issue, "closed", { state_reason: issue.stateReason }, at);
}

/** A pull request with the real diff of its commits, reviewed on its first line. */
function seedPull(seeding: Seeding, thread: DemoThread, head: string, index: number): void {
  const { world, repository, records } = seeding;
  const branch = defaultBranch(world, repository);
  const base = runGit(gitDirectory(world, repository), ["merge-base", `refs/heads/${branch}`, head]).trim();
  const distance = compareCommits(world, repository, base, head);
  const headRef = `proposal-${index + 1}`;
  // Every second pull request comes from an existing branch, like open work.
  if (index % 2 === 1) {
    runGit(gitDirectory(world, repository), ["update-ref", `refs/heads/${headRef}`, head]);
  }
  const issue = seedThread(seeding, thread, {
    id: nextId(world.state),
    headOwner: repository.owner,
    headRef,
    headSha: head,
    baseRef: branch,
    baseSha: base,
    isDraft: thread.title.startsWith("WIP"),
    canMaintainerModify: false,
    mergedAt: null,
    mergedBy: null,
    mergeSha: null,
    requestedReviewers: thread.isClosed ? [] : ["ivo-petrov"],
    ...(distance ?? { commits: 0, additions: 0, deletions: 0, changedFiles: 0 }),
  });
  const at = tick(seeding);
  const review = nextId(world.state);
  records.reviews.push({
    id: review,
    pull: issue.number,
    author: "ivo-petrov",
    body: thread.isClosed ? "Добре! Ship it." : "Nearly. One question below.",
    state: thread.isClosed ? "APPROVED" : "CHANGES_REQUESTED",
    commit: head,
    submittedAt: at,
    reactions: [],
  });
  const path = `proposals/${index + 1}.md`;
  const comment = {
    pull: issue.number,
    review,
    path,
    diffHunk: `@@ -0,0 +1 @@\n+Proposal ${index + 1}`,
    line: 1,
    originalLine: 1,
    startLine: null,
    side: "RIGHT" as const,
    subject: "line" as const,
    commit: head,
    originalCommit: head,
    reactions: [],
  };
  const first = nextId(world.state);
  const question = { author: "ivo-petrov", replyTo: null, body: "Why here and not in the timetable?" };
  records.reviewComments.push({ ...comment, ...question, id: first, createdAt: at, updatedAt: at });
  const later = tick(seeding);
  const reply = {
    author: issue.author,
    replyTo: first,
    body: "Because the timetable is shared with the app.",
  };
  records.reviewComments.push({
    ...{ ...comment, ...reply, id: nextId(world.state), createdAt: later, updatedAt: later },
    reactions: [{ id: nextId(world.state), login: "ivo-petrov", content: "rocket", createdAt: later }],
  });
  touch(issue, later);
}

/** Seeds a release with files per version tag, and an unpublished draft. */
function seedReleases(seeding: Seeding): void {
  const { world, repository, records, noise } = seeding;
  const directory = gitDirectory(world, repository);
  const tags = listRefs(world, repository, "refs/tags/").filter(({ name }) => /^v\d/.test(name));
  for (const { name: tag, commit } of tags) {
    const name = tag.slice(1);
    const at = timestamp(Number(runGit(directory, ["log", "-1", "--format=%ct", commit])) * 1000);
    const files = [
      {
        name: `${repository.name}-${name}.tar.gz`,
        type: "application/gzip",
        bytes: noisyBytes(noise, 24_000),
      },
    ];
    const sums = files.map(
      (file) => `${createHash("sha256").update(file.bytes).digest("hex")}  ${file.name}`,
    );
    files.push({ name: "SHA256SUMS", type: "text/plain", bytes: Buffer.from(`${sums.join("\n")}\n`) });
    records.releases.push({
      id: nextId(world.state),
      tag,
      target: defaultBranch(world, repository),
      name: name.endsWith("5.0") ? `${tag} — Höstrusch 🍂` : tag,
      body: `## What's new\n\n- ${DEMO_PULLS[records.releases.length % DEMO_PULLS.length]?.title}\n\nThanks to @ivo-petrov.`,
      isDraft: false,
      isPrerelease: name.startsWith("1.1"),
      author: "nora-lindqvist",
      createdAt: at,
      updatedAt: at,
      publishedAt: at,
      reactions: [],
      assets: files.map(({ name: file, type, bytes }) => {
        const id = nextId(world.state);
        const facts = {
          name: file,
          label: null,
          contentType: type,
          downloads: 7,
          uploader: "nora-lindqvist",
        };
        return { id, ...facts, ...writeAsset(world, id, bytes), createdAt: at, updatedAt: at };
      }),
    });
  }
  if (tags.length === 0) return;
  records.releases.push({
    id: nextId(world.state),
    tag: "v2.0.0",
    target: defaultBranch(world, repository),
    name: "Version 2 (draft)",
    body: "To be written.",
    isDraft: true,
    isPrerelease: false,
    author: "nora-lindqvist",
    createdAt: timestamp(END),
    updatedAt: timestamp(END),
    publishedAt: null,
    reactions: [],
    assets: [],
  });
}
