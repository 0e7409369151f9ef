import { Hono } from "hono";
import { mediaAddress, readBytes } from "../files.ts";
import { fileAnswer } from "../media-host.ts";
import { canSeeIssue, hasPermission } from "../permissions.ts";
import { forbidden, missing } from "../refused.ts";
import {
  renderAttachment,
  renderComment,
  renderRemoteLink,
  renderWorklog,
  seenComments,
  seenWorklogs,
} from "../render-parts.ts";
import { renderPerson, renderUser } from "../render-people.ts";
import type { Attachment, Issue } from "../state.ts";
import { indexOf, keyOf, personOf, projectOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { issueIn, numberOf, type RestEnv } from "./reach.ts";

/** The reading of what belongs to an issue: comments, worklogs, files, watchers, votes, links, properties. */
export function issuePartRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/issue/:key/comment", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const comments = [...seenComments(viewer, issue)];
    if (c.req.query("orderBy") === "-created") comments.reverse();
    const startAt = numberOf(c, "startAt", 0);
    const maxResults = Math.min(numberOf(c, "maxResults", 100), 100);
    const page = comments.slice(startAt, startAt + maxResults);
    const rendered = page.map((comment) => renderComment(viewer, issue, comment));
    return c.json({ startAt, maxResults, total: comments.length, comments: rendered });
  });
  app.get("/issue/:key/comment/:id", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const comment = seenComments(viewer, issue).find(({ id }) => id === c.req.param("id"));
    if (!comment) throw missing(`Can not find a comment for the id: ${c.req.param("id")}.`);
    return c.json(renderComment(viewer, issue, comment));
  });
  app.get("/issue/:key/worklog", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const worklogs = seenWorklogs(viewer, issue);
    const startAt = numberOf(c, "startAt", 0);
    const maxResults = Math.min(numberOf(c, "maxResults", 5_000), 5_000);
    const page = worklogs.slice(startAt, startAt + maxResults);
    const rendered = page.map((worklog) => renderWorklog(viewer, issue, worklog));
    return c.json({ startAt, maxResults, total: worklogs.length, worklogs: rendered });
  });
  app.get("/issue/:key/worklog/:id", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const worklog = seenWorklogs(viewer, issue).find(({ id }) => id === c.req.param("id"));
    if (!worklog) throw missing(`Cannot find worklog with id: '${c.req.param("id")}'.`);
    return c.json(renderWorklog(viewer, issue, worklog));
  });
  app.get("/issue/:key/watchers", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    // Without the permission only the number is told.
    const maySee = hasPermission(viewer, "VIEW_VOTERS_AND_WATCHERS", projectOf(viewer.site, issue), issue);
    return c.json({
      self: `${viewer.base}/rest/api/3/issue/${keyOf(viewer.site, issue)}/watchers`,
      isWatching: issue.watcherIds.includes(viewer.person.accountId),
      watchCount: issue.watcherIds.length,
      watchers: maySee ? issue.watcherIds.map((id) => renderPerson(viewer, id)) : [],
    });
  });
  app.get("/issue/:key/votes", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const maySee = hasPermission(viewer, "VIEW_VOTERS_AND_WATCHERS", projectOf(viewer.site, issue), issue);
    return c.json({
      self: `${viewer.base}/rest/api/3/issue/${keyOf(viewer.site, issue)}/votes`,
      votes: issue.voterIds.length,
      hasVoted: issue.voterIds.includes(viewer.person.accountId),
      voters: maySee ? issue.voterIds.map((id) => renderUser(viewer, personOf(viewer.world, id))) : [],
    });
  });
  app.get("/issue/:key/remotelink", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    return c.json(issue.remoteLinks.map((link) => renderRemoteLink(viewer, issue, link)));
  });
  app.get("/issue/:key/properties", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const at = `${viewer.base}/rest/api/3/issue/${keyOf(viewer.site, issue)}/properties`;
    return c.json({
      keys: Object.keys(issue.properties).map((key) => ({ self: `${at}/${encodeURIComponent(key)}`, key })),
    });
  });
  app.get("/issue/:key/properties/:property", (c) => {
    const issue = issueIn(c.get("viewer"), c.req.param("key"));
    const key = c.req.param("property");
    if (!(key in issue.properties)) throw missing("The property was not found.");
    return c.json({ key, value: issue.properties[key] });
  });
  app.get("/attachment/content/:id", (c) => {
    const viewer = c.get("viewer");
    const { attachment } = attachmentIn(viewer, c.req.param("id"));
    // Nothing proves that the app's own token opens files (docs/live-check.md), so it does not.
    if (viewer.token?.isForge) throw forbidden("The app may not read the content of attachments.");
    if (c.req.query("redirect") === "false") {
      const bytes = readBytes(viewer.world, attachment.sha256);
      if (!bytes) throw missing(`The attachment with id '${attachment.id}' does not exist`);
      const { mimeType: type, fileName: name } = attachment;
      return fileAnswer(bytes, { range: c.req.header("range"), type, name });
    }
    return c.redirect(mediaAddress(viewer.world, attachment, viewer.site.cloudId), 303);
  });
  app.get("/attachment/:id", (c) => {
    const viewer = c.get("viewer");
    const { attachment } = attachmentIn(viewer, c.req.param("id"));
    const { id, ...facts } = renderAttachment(viewer, attachment);
    return c.json({ ...facts, id: Number(id) });
  });
  return app;
}

/** The attachment of a path, with its issue. @throws Refused 404 */
export function attachmentIn(viewer: Viewer, id: string): { issue: Issue; attachment: Attachment } {
  const issue = indexOf(viewer.world, viewer.site).issuesByAttachment.get(id);
  const attachment = issue?.attachments.find((known) => known.id === id);
  if (issue && attachment && canSeeIssue(viewer, issue)) return { issue, attachment };
  throw missing(`The attachment with id '${id}' does not exist`);
}
