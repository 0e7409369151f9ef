import { Hono } from "hono";
import { z } from "zod";
import { canSeeIssue } from "../permissions.ts";
import { invalid } from "../refused.ts";
import { chosenFields, type IssueWish, renderIssue, renderNamesAndSchema } from "../render-issue.ts";
import { renderChange } from "../render-parts.ts";
import { searchIssues } from "../search.ts";
import type { Issue } from "../state.ts";
import { fieldsOf, findIssue, projectOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { expandOf, issueIn, listOf, pageOf, type RestEnv, readBody } from "./reach.ts";

const names = z.array(z.string());
const searchOrder = z.strictObject({
  jql: z.string(),
  fields: names.default(["id"]),
  fieldsByKeys: z.boolean().optional(),
  expand: z.string().default(""),
  maxResults: z.number().int().min(1).max(5_000).default(50),
  nextPageToken: z.string().optional(),
  properties: names.max(5).default([]),
  reconcileIssues: z.array(z.number().int()).max(50).default([]),
});
const bulkOrder = z.strictObject({
  issueIdsOrKeys: names.min(1).max(100),
  fields: names.default(["*navigable"]),
  fieldsByKeys: z.boolean().optional(),
  expand: names.default([]),
  properties: names.max(5).default([]),
});
const changelogOrder = z.strictObject({
  issueIdsOrKeys: names.min(1).max(1_000),
  fieldIds: names.max(10).optional(),
  maxResults: z.number().int().min(1).max(10_000).default(1_000),
  nextPageToken: z.string().optional(),
});

/** With other fields than id and key a page ends here, whatever `maxResults` says. */
const MOST_WITH_FIELDS = 100;

/** Search, and the reading of whole issues. */
export function issueRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/search/jql", async (c) => {
    const viewer = c.get("viewer");
    const order = await readBody(c, searchOrder);
    const issues = searchIssues(viewer, order.jql, order.reconcileIssues.map(String));
    const start = readToken(order.nextPageToken, order.jql);
    const isLight = order.fields.every((name) => name === "id" || name === "key");
    const size = isLight ? order.maxResults : Math.min(order.maxResults, MOST_WITH_FIELDS);
    const page = issues.slice(start, start + size);
    const end = start + page.length;
    const expand = expandOf(order.expand);
    const wish: IssueWish = { fields: order.fields, expand, properties: order.properties };
    const isIdOnly = order.fields.length === 1 && order.fields[0] === "id" && expand.size === 0;
    return c.json({
      issues: page.map((issue) => (isIdOnly ? { id: issue.id } : renderIssue(viewer, issue, wish))),
      ...namesAndSchema(viewer, page, wish),
      ...(end < issues.length ? { nextPageToken: writeToken(end, order.jql) } : {}),
      isLast: end >= issues.length,
    });
  });
  app.post("/search/approximate-count", async (c) => {
    const { jql } = await readBody(c, z.strictObject({ jql: z.string() }));
    return c.json({ count: searchIssues(c.get("viewer"), jql).length });
  });
  app.post("/issue/bulkfetch", async (c) => {
    const viewer = c.get("viewer");
    const order = await readBody(c, bulkOrder);
    const wish = { fields: order.fields, expand: new Set(order.expand), properties: order.properties };
    const found = new Set<Issue>();
    const issueErrors: unknown[] = [];
    for (const key of order.issueIdsOrKeys) {
      const issue = findIssue(viewer.world, viewer.site, key);
      if (issue && canSeeIssue(viewer, issue)) found.add(issue);
      else {
        const errorMessage = "Issue does not exist or you do not have permission to see it.";
        issueErrors.push({ id: key, errorMessage });
      }
    }
    // Found issues come by ascending id, whatever the order of the request.
    const issues = [...found].sort((one, other) => Number(one.id) - Number(other.id));
    return c.json({ issues: issues.map((issue) => renderIssue(viewer, issue, wish)), issueErrors });
  });
  app.post("/changelog/bulkfetch", async (c) => {
    const viewer = c.get("viewer");
    const order = await readBody(c, changelogOrder);
    const fieldIds = order.fieldIds ? new Set(order.fieldIds) : null;
    const entries = order.issueIdsOrKeys
      .flatMap((key) => findIssue(viewer.world, viewer.site, key) ?? [])
      .filter((issue) => canSeeIssue(viewer, issue))
      .flatMap((issue) => issue.changes.map((change) => ({ issue, change })))
      .filter(({ change }) => !fieldIds || change.items.some(({ fieldId }) => fieldIds.has(fieldId)));
    const question = order.issueIdsOrKeys.join();
    const start = readToken(order.nextPageToken, question);
    const page = entries.slice(start, start + order.maxResults);
    const end = start + page.length;
    const byIssue = new Map<Issue, ReturnType<typeof renderChange>[]>();
    for (const { issue, change } of page) {
      byIssue.set(issue, [...(byIssue.get(issue) ?? []), renderChange(viewer, change)]);
    }
    return c.json({
      issueChangeLogs: [...byIssue].map(([{ id }, changeHistories]) => ({ issueId: id, changeHistories })),
      ...(end < entries.length ? { nextPageToken: writeToken(end, question) } : {}),
    });
  });
  app.get("/issue/:key", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const fields = listOf(c, "fields");
    const expand = expandOf(c.req.query("expand"));
    const properties = listOf(c, "properties");
    const wish = { fields: fields.length === 0 ? ["*all"] : fields, expand, properties };
    return c.json({ ...renderIssue(viewer, issue, wish), ...namesAndSchema(viewer, [issue], wish) });
  });
  app.get("/issue/:key/changelog", (c) => {
    const viewer = c.get("viewer");
    const { changes } = issueIn(viewer, c.req.param("key"));
    const rendered = changes.map((change) => renderChange(viewer, change));
    return c.json(pageOf(c, rendered, { usual: 100, most: 100 }));
  });
  return app;
}

function namesAndSchema(viewer: Viewer, issues: readonly Issue[], { fields, expand }: IssueWish) {
  const projects = [...new Set(issues.map((issue) => projectOf(viewer.site, issue)))];
  const all = new Set(projects.flatMap((project) => fieldsOf(viewer.site, project)));
  return renderNamesAndSchema(chosenFields([...all], fields), expand);
}

/** A token tells a place in the result, and belongs to one question. Nothing proves that the place is a fixed one. */
function writeToken(start: number, question: string): string {
  return Buffer.from(JSON.stringify({ start, question })).toString("base64url");
}

function readToken(token: string | undefined, asked: string): number {
  if (token === undefined) return 0;
  try {
    const { start, question } = JSON.parse(Buffer.from(token, "base64url").toString());
    if (question === asked && Number.isInteger(start)) return start;
  } catch {}
  throw invalid("The provided next page token is invalid or expired.");
}
