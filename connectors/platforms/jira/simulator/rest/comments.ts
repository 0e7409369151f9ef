import { Hono } from "hono";
import { z } from "zod";
import { isAdf } from "../adf.ts";
import { problemOf } from "../documents.ts";
import { addComment } from "../issue-parts.ts";
import { touch } from "../issues.ts";
import { tellPeople } from "../mails.ts";
import { canSeeIssue, hasPermission } from "../permissions.ts";
import { forbidden, invalid, missing, Refused } from "../refused.ts";
import { renderComment, seenComments } from "../render-parts.ts";
import type { Adf, Comment, Issue, Visibility } from "../state.ts";
import { projectOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { issueFor, issueIn, pageOf, type RestEnv, readBody } from "./reach.ts";

/** Members that Jira sets itself, as author and created, are read over. */
const commentOrder = z.looseObject({
  body: z.unknown(),
  visibility: z.unknown().optional(),
  jsdPublic: z.boolean().optional(),
  properties: z.array(z.looseObject({ key: z.string(), value: z.json() })).default([]),
});

/** Adding, changing and deleting comments. */
export function commentRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/comment/list", async (c) => {
    const viewer = c.get("viewer");
    const { ids } = await readBody(c, z.strictObject({ ids: z.array(z.number().int()).min(1).max(1_000) }));
    const wanted = new Set(ids.map(String));
    const found = viewer.site.issues
      .filter((issue) => issue.comments.some(({ id }) => wanted.has(id)) && canSeeIssue(viewer, issue))
      .flatMap((issue) =>
        seenComments(viewer, issue)
          .filter(({ id }) => wanted.has(id))
          .map((comment) => renderComment(viewer, issue, comment)),
      );
    return c.json(pageOf(c, found, { usual: 1_000, most: 1_000 }));
  });
  app.post("/issue/:key/comment", async (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "ADD_COMMENTS");
    const order = await readBody(c, commentOrder);
    const comment = addComment(viewer.world, viewer.site, viewer.person.accountId, {
      issue,
      body: readDocument(viewer, issue, order.body),
      visibility: readVisibility(viewer, order.visibility),
      isPublic: order.jsdPublic ?? true,
      properties: Object.fromEntries(order.properties.map(({ key, value }) => [key, value])),
    });
    tellPeople(viewer, issue);
    return c.json(renderComment(viewer, issue, comment), 201);
  });
  app.put("/issue/:key/comment/:id", async (c) => {
    const viewer = c.get("viewer");
    const { issue, comment } = ownComment(viewer, c.req.param("key"), c.req.param("id"), "EDIT_ISSUES");
    const order = await readBody(c, commentOrder);
    comment.body = readDocument(viewer, issue, order.body);
    if (order.visibility !== undefined) comment.visibility = readVisibility(viewer, order.visibility);
    comment.updateAuthorId = viewer.person.accountId;
    comment.updatedAt = Date.now();
    touch(viewer.world, issue);
    return c.json(renderComment(viewer, issue, comment));
  });
  app.delete("/issue/:key/comment/:id", (c) => {
    const viewer = c.get("viewer");
    const { issue, comment } = ownComment(
      viewer,
      c.req.param("key"),
      c.req.param("id"),
      "DELETE_ALL_COMMENTS",
    );
    issue.comments.splice(issue.comments.indexOf(comment), 1);
    touch(viewer.world, issue);
    return c.body(null, 204);
  });
  return app;
}

function ownComment(
  viewer: Viewer,
  key: string,
  id: string,
  permission: string,
): { issue: Issue; comment: Comment } {
  const issue = issueIn(viewer, key);
  const comment = seenComments(viewer, issue).find((known) => known.id === id);
  if (!comment) throw missing(`Can not find a comment for the id: ${id}.`);
  const isOwn = comment.authorId === viewer.person.accountId;
  if (!isOwn && !hasPermission(viewer, permission, projectOf(viewer.site, issue), issue)) {
    throw forbidden("You do not have permission to change this comment.");
  }
  return { issue, comment };
}

/** Reads the document of a comment or worklog. @throws Refused 400 */
export function readDocument(viewer: Viewer, issue: Issue, given: unknown): Adf {
  if (typeof given === "string" || !isAdf(given))
    throw new Refused(400, null, { comment: "Comment body is not valid!" });
  if (given.content.length === 0) throw new Refused(400, null, { comment: "Comment body can not be empty!" });
  const problem = problemOf(viewer.site, issue, given);
  if (problem !== null) throw invalid(problem);
  return given;
}

/** Reads `{ type: "role" | "group", value? , identifier? }`. @throws Refused 400 for what does not exist */
export function readVisibility({ site }: Viewer, given: unknown): Visibility | null {
  if (given === undefined || given === null) return null;
  const read = z
    .looseObject({
      type: z.enum(["group", "role"]),
      value: z.string().nullish(),
      identifier: z.string().nullish(),
    })
    .safeParse(given);
  if (!read.success) throw new Refused(400, null, { commentLevel: "The visibility is not valid." });
  const { type, value, identifier } = read.data;
  const list = type === "group" ? site.groups : site.roles;
  // A role is identified by its name, a group by its id.
  const found = list.find(
    ({ id, name }) => (type === "group" && id === identifier) || name === (value ?? identifier),
  );
  if (!found)
    throw new Refused(400, null, {
      commentLevel: `${type === "group" ? "Group" : "Role"}: ${value ?? identifier} does not exist.`,
    });
  return { type, identifier: found.id };
}
