import { Hono } from "hono";
import { z } from "zod";
import { setRemoteLink } from "../issue-parts.ts";
import { linkIssues } from "../issues.ts";
import { canSeeIssue } from "../permissions.ts";
import { missing } from "../refused.ts";
import { renderIssueShort, renderLinkType } from "../render-issue.ts";
import { renderRemoteLink } from "../render-parts.ts";
import { findIssue } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { issueFor, issueIn, type RestEnv, readBody } from "./reach.ts";

const end = z.looseObject({ id: z.string().optional(), key: z.string().optional() });
const linkOrder = z.strictObject({
  type: z.looseObject({ id: z.string().optional(), name: z.string().optional() }),
  inwardIssue: end,
  outwardIssue: end,
  comment: z.unknown().optional(),
});
const remoteOrder = z.strictObject({
  globalId: z.string().max(255).optional(),
  application: z.looseObject({ type: z.string().optional(), name: z.string().optional() }).default({}),
  relationship: z.string().optional(),
  object: z.looseObject({ url: z.string().max(2_000), title: z.string().max(255) }),
});

/** Links between issues, and to web pages. */
export function linkRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/issueLink", async (c) => {
    const viewer = c.get("viewer");
    const { type: given, inwardIssue, outwardIssue } = await readBody(c, linkOrder);
    const type = viewer.site.linkTypes.find(
      ({ id, name }) => id === given.id || (given.id === undefined && name === given.name),
    );
    if (!type) throw missing(`No issue link type with name '${given.name ?? given.id}' found.`);
    // The inward issue is the one that the link starts at: it shows the outward name.
    const from = issueFor(viewer, inwardIssue.id ?? inwardIssue.key ?? "", "LINK_ISSUES");
    const to = issueIn(viewer, outwardIssue.id ?? outwardIssue.key ?? "");
    linkIssues(viewer.world, viewer.site, viewer.person.accountId, { typeId: type.id, from, to });
    return c.body(null, 201);
  });
  app.get("/issueLink/:id", (c) => {
    const viewer = c.get("viewer");
    const { link, from, to } = linkIn(viewer, c.req.param("id"));
    return c.json({
      id: link.id,
      self: `${viewer.base}/rest/api/3/issueLink/${link.id}`,
      type: renderLinkType(viewer, link.typeId),
      inwardIssue: renderIssueShort(viewer, from),
      outwardIssue: renderIssueShort(viewer, to),
    });
  });
  app.delete("/issueLink/:id", (c) => {
    const viewer = c.get("viewer");
    const { link, from } = linkIn(viewer, c.req.param("id"));
    issueFor(viewer, from.id, "LINK_ISSUES");
    viewer.site.links = viewer.site.links.filter((known) => known !== link);
    viewer.world.save();
    return c.body(null, 204);
  });
  app.post("/issue/:key/remotelink", async (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "LINK_ISSUES");
    const { globalId = null, relationship = null, ...order } = await readBody(c, remoteOrder);
    const { link, isNew } = setRemoteLink(viewer.world, viewer.site, {
      issue,
      globalId,
      relationship,
      ...order,
    });
    const { id, self } = renderRemoteLink(viewer, issue, link);
    return c.json({ id, self }, isNew ? 201 : 200);
  });
  app.delete("/issue/:key/remotelink/:id", (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "LINK_ISSUES");
    const link = issue.remoteLinks.find(({ id }) => id === c.req.param("id"));
    if (!link) throw missing("The remote link was not found.");
    issue.remoteLinks.splice(issue.remoteLinks.indexOf(link), 1);
    viewer.world.save();
    return c.body(null, 204);
  });
  return app;
}

function linkIn(viewer: Viewer, id: string) {
  const link = viewer.site.links.find((known) => known.id === id);
  const from = link && findIssue(viewer.world, viewer.site, link.fromId);
  const to = link && findIssue(viewer.world, viewer.site, link.toId);
  if (!link || !from || !to || !canSeeIssue(viewer, from) || !canSeeIssue(viewer, to)) {
    throw missing("No issue link with this id was found.");
  }
  return { link, from, to };
}
