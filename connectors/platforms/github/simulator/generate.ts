import { createNoise } from "#connectors/toolkit/simulator/history-script.ts";
import { writeAsset } from "./asset-files.ts";
import { branchTip, compareCommits, publishPull } from "./pull-git.ts";
import type { Issue, PullFacts, RepositoryRecords } from "./records.ts";
import { defaultBranch } from "./repositories.ts";
import { type GithubWorld, nextId, type Repository, timestamp } from "./state.ts";
import { takeNumber } from "./threads.ts";

/** How much to generate. */
export type GenerateOrder = {
  issues: number;
  pulls: number;
  commentsPerIssue: number;
  eventsPerIssue: number;
  reviewsPerPull: number;
  discussions: number;
  releases?: number;
  /** Assets of each release. The first is complete; the upload of every other one was interrupted. */
  assetsPerRelease?: number;
  /** Time of the first object, as epoch ms. Each later one is a minute after the previous one. */
  from: number;
  /** The same seed gives the same texts. */
  seed: number;
};

const WORDS =
  "crane pallet ferry manifest trailer depot slot customs seal border toll axle scanner label route driver".split(
    " ",
  );

/** Fills a repository with many issues, pull requests, comments and events, without the API. */
export function generateRecords(world: GithubWorld, repository: Repository, order: GenerateOrder): void {
  const records = world.records.of(repository);
  const noise = createNoise(order.seed);
  const people = world.state.accounts.filter(({ type }) => type === "User").map(({ login }) => login);
  const person = () => people[Math.floor(noise() * people.length)] ?? "ghost";
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.floor(noise() * WORDS.length)]).join(" ");
  const clock = { at: order.from };
  const tick = () => {
    clock.at += 60_000;
    return timestamp(clock.at);
  };
  const facts = order.pulls > 0 ? pullFacts(world, repository) : null;
  for (let index = 0; index < order.issues + order.pulls; index += 1) {
    const isPull = index >= order.issues;
    const createdAt = tick();
    const isClosed = noise() < 0.4;
    const issue: Issue = {
      id: nextId(world.state),
      number: takeNumber(records),
      title: `${isPull ? "Change" : "Check"} the ${words(3)}`,
      body: `${words(24)}\n\n- ${words(5)}\n- ${words(6)}\n`,
      author: person(),
      state: isClosed ? "closed" : "open",
      stateReason: isClosed && !isPull ? "completed" : null,
      labelIds: noise() < 0.5 ? records.labels.slice(index % 7, (index % 7) + 1).map(({ id }) => id) : [],
      assignees: noise() < 0.3 ? [person()] : [],
      milestone: null,
      isLocked: false,
      lockReason: null,
      createdAt,
      updatedAt: createdAt,
      closedAt: isClosed ? createdAt : null,
      closedBy: isClosed ? person() : null,
      reactions: [],
      commentCount: order.commentsPerIssue,
      pull: isPull && facts ? { ...facts, id: nextId(world.state) } : null,
    };
    records.issues.push(issue);
    if (issue.pull) publishPull(world, repository, issue.number, issue.pull.headSha);
    const more = { records, issue, person, words, tick };
    addDetails(world, more, order);
  }
  for (let index = 0; index < order.discussions; index += 1)
    addDiscussion(world, records, { person, words, tick });
  for (let index = 0; index < (order.releases ?? 0); index += 1)
    addRelease(world, records, { person, words, tick }, order.assetsPerRelease ?? 0);
  world.records.save(repository);
  world.save();
}

type Makers = { person: () => string; words: (count: number) => string; tick: () => string };

function addDetails(
  world: GithubWorld,
  { records, issue, person, words, tick }: Makers & { records: RepositoryRecords; issue: Issue },
  order: GenerateOrder,
): void {
  for (let count = 0; count < order.commentsPerIssue; count += 1) {
    const at = tick();
    records.comments.push({
      id: nextId(world.state),
      issue: issue.number,
      author: person(),
      body: `${words(14)}.`,
      createdAt: at,
      updatedAt: at,
      reactions: [],
    });
    issue.updatedAt = at;
  }
  for (let count = 0; count < order.eventsPerIssue; count += 1) {
    const at = tick();
    const label = { name: "bug", color: "d73a4a" };
    const event = count % 2 === 0 ? "labeled" : "unlabeled";
    records.events.push({
      ...{ id: nextId(world.state), issue: issue.number, event, actor: person(), createdAt: at },
      details: { label },
    });
    issue.updatedAt = at;
  }
  if (!issue.pull) return;
  for (let count = 0; count < order.reviewsPerPull; count += 1) {
    const at = tick();
    const review = nextId(world.state);
    const author = person();
    records.reviews.push({
      id: review,
      pull: issue.number,
      author,
      body: words(8),
      state: count % 3 === 0 ? "CHANGES_REQUESTED" : "COMMENTED",
      commit: issue.pull.headSha,
      submittedAt: at,
      reactions: [],
    });
    records.reviewComments.push({
      ...{ id: nextId(world.state), pull: issue.number, review, author, body: words(6), replyTo: null },
      ...{ path: "changes/1.md", diffHunk: "@@ -1 +1 @@", line: count + 1, originalLine: count + 1 },
      ...{ startLine: null, side: "RIGHT", subject: "line", createdAt: at, updatedAt: at, reactions: [] },
      ...{ commit: issue.pull.headSha, originalCommit: issue.pull.headSha },
    });
    issue.updatedAt = at;
  }
}

function addDiscussion(
  world: GithubWorld,
  records: RepositoryRecords,
  { person, words, tick }: Makers,
): void {
  const at = tick();
  const number = takeNumber(records);
  records.discussions.push({
    id: nextId(world.state),
    number,
    category: records.categories[1]?.id ?? 0,
    title: `On the ${words(3)}`,
    body: words(20),
    author: person(),
    isLocked: false,
    closedAt: null,
    stateReason: null,
    answer: null,
    answeredBy: null,
    labelIds: [],
    upvotes: 1,
    createdAt: at,
    updatedAt: at,
    reactions: [],
  });
  const comment = {
    discussion: number,
    author: person(),
    createdAt: at,
    updatedAt: at,
    upvotes: 0,
    reactions: [],
  };
  const id = nextId(world.state);
  records.discussionComments.push({ ...comment, id, replyTo: null, body: words(9) });
  records.discussionComments.push({ ...comment, id: nextId(world.state), replyTo: id, body: words(7) });
}

/** A nightly build: many files with the long names of builds for many targets. */
function addRelease(
  world: GithubWorld,
  records: RepositoryRecords,
  { person, words, tick }: Makers,
  assets: number,
): void {
  const at = tick();
  const id = nextId(world.state);
  records.releases.push({
    id,
    tag: `nightly-${id}`,
    target: "main",
    name: `Nightly ${id}`,
    body: words(30),
    isDraft: false,
    isPrerelease: true,
    author: person(),
    createdAt: at,
    updatedAt: at,
    publishedAt: at,
    reactions: [],
    assets: Array.from({ length: assets }, (_, file) => {
      const asset = nextId(world.state);
      const build = `depot-3.13.1+${id}-x86_64_v${file}-unknown-linux-musl-debug+static-full.tar.zst`;
      const received = file === 0 ? writeAsset(world, asset, Buffer.from(build)) : null;
      return {
        id: asset,
        name: build,
        label: null,
        contentType: "application/octet-stream",
        size: received?.size ?? 0,
        sha256: received?.sha256 ?? "",
        isWhole: received !== null,
        downloads: 0,
        createdAt: at,
        updatedAt: at,
        uploader: records.releases[0]?.author ?? person(),
      };
    }),
  });
}

/** All generated pull requests have the last commit of the default branch as their head. */
function pullFacts(world: GithubWorld, repository: Repository): PullFacts {
  const branch = defaultBranch(world, repository);
  const tip = branchTip(world, repository, branch);
  if (tip === null) throw new Error("pull requests need commits: make some first");
  return {
    id: 0,
    headOwner: repository.owner,
    headRef: "proposal",
    headSha: tip,
    baseRef: branch,
    baseSha: tip,
    isDraft: false,
    canMaintainerModify: false,
    mergedAt: null,
    mergedBy: null,
    mergeSha: null,
    requestedReviewers: [],
    ...(compareCommits(world, repository, tip, tip) ?? {
      commits: 0,
      additions: 0,
      deletions: 0,
      changedFiles: 0,
    }),
  };
}
