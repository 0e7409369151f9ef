import { z } from "zod";
import type { RepositoryRecords } from "./records.ts";
import { findAccount, type GithubWorld, type Repository, timestamp } from "./state.ts";
import { addComment, BODY_LIMIT, labelsByName, openIssue, type ThreadWork } from "./threads.ts";

/** The body of a request to import an issue. */
export const importOrderSchema = z.object({
  issue: z.object({
    title: z.string(),
    body: z.string(),
    created_at: z.string().optional(),
    updated_at: z.string().optional(),
    closed_at: z.string().nullable().optional(),
    assignee: z.string().nullable().optional(),
    milestone: z.number().int().nullable().optional(),
    closed: z.boolean().optional(),
    labels: z.array(z.string()).optional(),
  }),
  comments: z.array(z.object({ created_at: z.string().optional(), body: z.string() })).optional(),
});
type ImportOrder = z.output<typeof importOrderSchema>;

/** Processes the imports that are due. It runs before each request to the repository. */
export function workOffImports(world: GithubWorld, repository: Repository, records: RepositoryRecords): void {
  const due = records.imports.filter(({ status, dueAt }) => status === "pending" && dueAt <= Date.now());
  for (const order of due) {
    const wanted = order.order as ImportOrder;
    order.errors = importErrors(world, records, wanted);
    order.status = order.errors.length > 0 ? "failed" : "imported";
    if (order.status === "imported") order.number = importIssue({ world, records, login: order.by }, wanted);
    order.updatedAt = timestamp();
    // The issue now has the texts.
    order.order = null;
  }
  if (due.length > 0) world.records.save(repository);
}

function importErrors(
  world: GithubWorld,
  records: RepositoryRecords,
  { issue, comments = [] }: ImportOrder,
): Record<string, string>[] {
  const wrong = (location: string, field: string, value: string) => ({
    location,
    resource: "Issue",
    field,
    value,
    code: "invalid",
  });
  const errors: Record<string, string>[] = [];
  if (issue.title.trim() === "" || issue.title.length > 256) {
    errors.push(wrong("/issue/title", "title", issue.title.slice(0, 40)));
  }
  if ([...issue.body].length > BODY_LIMIT) errors.push(wrong("/issue/body", "body", "too long"));
  for (const [index, { body }] of comments.entries()) {
    const isWrong = body.trim() === "" || [...body].length > BODY_LIMIT;
    if (isWrong) errors.push(wrong(`/comments[${index}]`, "body", body.slice(0, 40)));
  }
  const { milestone, assignee } = issue;
  if (milestone && !records.milestones.some(({ number }) => number === milestone)) {
    errors.push(wrong("/issue/milestone", "milestone", String(milestone)));
  }
  if (assignee && !findAccount(world, assignee)) errors.push(wrong("/issue/assignee", "assignee", assignee));
  for (const field of ["created_at", "updated_at", "closed_at"] as const) {
    const at = issue[field];
    if (at && !(Date.parse(at) <= Date.now())) errors.push(wrong(`/issue/${field}`, field, at));
  }
  return errors;
}

function importIssue(work: ThreadWork, { issue, comments = [] }: ImportOrder): number {
  const whole = (at: string | null | undefined) => (at ? timestamp(Date.parse(at)) : null);
  const createdAt = whole(issue.created_at) ?? timestamp();
  const made = openIssue(work, {
    title: issue.title,
    body: issue.body,
    createdAt,
    labelIds: labelsByName(work, issue.labels ?? []).map(({ id }) => id),
    assignees: issue.assignee ? [issue.assignee] : [],
    milestone: issue.milestone ?? null,
    state: issue.closed ? "closed" : "open",
    stateReason: issue.closed ? "completed" : null,
    closedAt: issue.closed ? (whole(issue.closed_at) ?? timestamp()) : null,
    closedBy: issue.closed ? work.login : null,
  });
  for (const { body, created_at } of comments) {
    addComment(work, made, { body, createdAt: whole(created_at) ?? createdAt });
  }
  made.updatedAt = whole(issue.updated_at) ?? made.updatedAt;
  return made.number;
}
