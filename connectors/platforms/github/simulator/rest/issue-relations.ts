import { Hono } from "hono";
import { z } from "zod";
import type { Issue, RepositoryRecords } from "../records.ts";
import { renderIssue } from "../render-issue.ts";
import { type GithubWorld, timestamp } from "../state.ts";
import { notFound, page, type RestEnv, readBody } from "./answers.ts";
import { invalid, withIssue } from "./issues.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const READ: RouteNeeds = { permission: "issues", reach: "read" };
const WRITE: RouteNeeds = { permission: "issues", reach: "write" };
const OF = "/issues/:number{[0-9]+}";
const subIssue = z.object({ sub_issue_id: z.int(), replace_parent: z.boolean().optional() });
const blocker = z.object({ issue_id: z.int() });

/** Sub-issues and dependencies between the issues of a repository (GitHub's OpenAPI document). */
export function issueRelationRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  const list = (path: string, find: (records: RepositoryRecords, issue: Issue) => Issue[]) =>
    route("GET", `${OF}${path}`, READ, (asked) =>
      withIssue(asked, (issue) =>
        page(asked.c, world, find(asked.records, issue), (one) => renderIssue(world, asked.repository, one), {
          path: `/repositories/${asked.repository.id}/issues/${issue.number}${path}`,
        }),
      ),
    );
  list("/sub_issues", ({ issues }, { number }) => issues.filter(({ parent }) => parent === number));
  list("/dependencies/blocked_by", ({ issues }, { blockedBy = [] }) =>
    issues.filter(({ number }) => blockedBy.includes(number)),
  );
  list("/dependencies/blocking", ({ issues }, { number }) =>
    issues.filter(({ blockedBy = [] }) => blockedBy.includes(number)),
  );
  route("GET", `${OF}/parent`, READ, (asked) =>
    withIssue(asked, ({ parent }) => {
      const found = asked.records.issues.find(({ number }) => number === parent);
      return found ? asked.c.json(renderIssue(world, asked.repository, found, "single")) : notFound(asked.c);
    }),
  );
  route("POST", `${OF}/sub_issues`, WRITE, addSubIssue);
  route("POST", `${OF}/dependencies/blocked_by`, WRITE, addBlocker);
  return app;
}

function addSubIssue(asked: Asked): Response | Promise<Response> {
  return withIssue(asked, async (issue) => {
    const { c, world, repository, records } = asked;
    const body = await readBody(c, world, subIssue);
    if (body instanceof Response) return body;
    const child = records.issues.find(({ id, pull }) => id === body.sub_issue_id && pull === null);
    if (!child) return notFound(c);
    if (child === issue || (child.parent !== undefined && body.replace_parent !== true)) {
      const message = "Sub issue may only have one parent";
      return invalid(asked, { field: "sub_issue_id", code: "custom", message });
    }
    child.parent = issue.number;
    child.updatedAt = timestamp();
    asked.save();
    return c.json(renderIssue(world, repository, issue, "single"), 201);
  });
}

function addBlocker(asked: Asked): Response | Promise<Response> {
  return withIssue(asked, async (issue) => {
    const { c, world, repository, records } = asked;
    const body = await readBody(c, world, blocker);
    if (body instanceof Response) return body;
    const found = records.issues.find(({ id, pull }) => id === body.issue_id && pull === null);
    if (!found) return notFound(c);
    if (found === issue || issue.blockedBy?.includes(found.number)) {
      const message = "Target issue has already been taken";
      return invalid(asked, { field: "issue_id", code: "custom", message });
    }
    issue.blockedBy = [...(issue.blockedBy ?? []), found.number];
    issue.updatedAt = timestamp();
    asked.save();
    return c.json(renderIssue(world, repository, issue, "single"), 201);
  });
}
