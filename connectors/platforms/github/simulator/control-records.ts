import { Hono } from "hono";
import { z } from "zod";
import { attachFile } from "./attachments.ts";
import { generateRecords } from "./generate.ts";
import type { RepositoryRecords } from "./records.ts";
import { lookUpRepository } from "./repositories.ts";
import { type GithubWorld, type Repository, timestamp } from "./state.ts";
import { addComment, deleteIssue, findIssue } from "./threads.ts";

const count = z.number().int().min(0).max(100_000);
const generateOrder = z.strictObject({
  issues: count.default(0),
  pulls: count.default(0),
  commentsPerIssue: count.default(0),
  eventsPerIssue: count.default(0),
  reviewsPerPull: count.default(0),
  discussions: count.default(0),
  releases: count.default(0),
  assetsPerRelease: count.default(0),
  from: z
    .number()
    .int()
    .default(Date.UTC(2025, 0, 6)),
  seed: z.number().int().default(1),
});
/** Selects by number, or selects the oldest `count`. */
const choice = z.strictObject({ numbers: z.array(z.number().int()).optional(), count: count.optional() });
const commentsOrder = z.strictObject({ number: z.number().int(), count: count.default(1), by: z.string() });
const commentChoice = z.strictObject({ ids: z.array(z.number().int()).optional(), count: count.optional() });
const attachmentOrder = z.strictObject({ name: z.string(), contentType: z.string(), base64: z.string() });
const switches = z.strictObject({
  hasIssues: z.boolean().optional(),
  hasWiki: z.boolean().optional(),
  hasDiscussions: z.boolean().optional(),
  hasProjects: z.boolean().optional(),
  isArchived: z.boolean().optional(),
});

/** Mounts a change of a repository's records, which are saved after it. */
type ControlRouter = (
  path: string,
  act: (work: { repository: Repository; records: RepositoryRecords; order: unknown }) => object,
) => void;

/** Bulk changes by other people to issues and discussions at GitHub: `/__sim/github/repos/OWNER/REPO/…`. */
export function recordControlRoutes(world: GithubWorld): Hono {
  const app = new Hono();
  const on: ControlRouter = (path, act) => {
    app.post(`/repos/:owner/:repo${path}`, async (c) => {
      const lookup = lookUpRepository(world, c.req.param("owner") ?? "", c.req.param("repo") ?? "");
      if (lookup.kind === "missing") return c.json({ message: "no such repository" }, 404);
      const { repository } = lookup;
      const order: unknown = await c.req.json().catch(() => ({}));
      const answer = act({ repository, records: world.records.of(repository), order });
      world.records.save(repository);
      world.save();
      return c.json(answer);
    });
  };
  on("/generate", ({ repository, records, order }) => {
    generateRecords(world, repository, generateOrder.parse(order));
    return { issues: records.issues.length, comments: records.comments.length };
  });
  on("/attachments", ({ repository, order }) => {
    const { name, contentType, base64 } = attachmentOrder.parse(order);
    return {
      url: attachFile(world, repository, { name, contentType, bytes: Buffer.from(base64, "base64") }),
    };
  });
  on("/features", ({ repository, order }) => {
    Object.assign(repository, switches.parse(order));
    return {};
  });
  threadControl(on);
  commentControl(world, on);
  return app;
}

function threadControl(on: ControlRouter): void {
  on("/issues/edit", ({ records, order }) => {
    const numbers = chosen(records, choice.parse(order));
    for (const number of numbers) {
      const issue = findIssue(records, number);
      if (!issue) continue;
      issue.body = `${issue.body ?? ""}\nEdited at ${timestamp()}.`;
      issue.updatedAt = timestamp();
    }
    return { numbers };
  });
  on("/issues/delete", ({ records, order }) => {
    const numbers = chosen(records, choice.parse(order));
    for (const number of numbers) deleteIssue(records, number);
    return { numbers };
  });
  // Deletes the forks that pull requests came from, so their heads have no repository.
  on("/pulls/lose-heads", ({ records, order }) => {
    const { numbers } = z.strictObject({ numbers: z.array(z.number().int()) }).parse(order);
    for (const { number, pull } of records.issues)
      if (pull && numbers.includes(number)) pull.headOwner = null;
    return { numbers };
  });
}

function commentControl(world: GithubWorld, on: ControlRouter): void {
  on("/comments/add", ({ records, order }) => {
    const { number, count: many, by } = commentsOrder.parse(order);
    const issue = findIssue(records, number);
    if (!issue) throw new Error(`there is no issue ${number}`);
    const ids = Array.from({ length: many }, (_, index) => {
      const body = `Comment ${index + 1} at ${timestamp()}`;
      return addComment({ world, records, login: by }, issue, { body }).id;
    });
    return { ids };
  });
  on("/comments/edit", ({ records, order }) => {
    const ids = chosenComments(records, commentChoice.parse(order));
    for (const comment of records.comments) {
      if (!ids.includes(comment.id)) continue;
      comment.body = `${comment.body}\nEdited at ${timestamp()}.`;
      comment.updatedAt = timestamp();
    }
    return { ids };
  });
  // Deleting a comment does not change the issue's `updatedAt`.
  on("/comments/delete", ({ records, order }) => {
    const ids = new Set(chosenComments(records, commentChoice.parse(order)));
    for (const { id, issue } of records.comments) {
      const thread = ids.has(id) ? findIssue(records, issue) : null;
      if (thread) thread.commentCount -= 1;
    }
    records.comments = records.comments.filter(({ id }) => !ids.has(id));
    return { ids: [...ids] };
  });
}

function chosen(records: RepositoryRecords, { numbers, count: many }: z.output<typeof choice>): number[] {
  return numbers ?? records.issues.slice(0, many ?? 1).map(({ number }) => number);
}

function chosenComments(
  records: RepositoryRecords,
  { ids, count: many }: z.output<typeof commentChoice>,
): number[] {
  return ids ?? records.comments.slice(0, many ?? 1).map(({ id }) => id);
}
