import { Hono } from "hono";
import { canSeeIssue } from "../permissions.ts";
import { invalid, missing } from "../refused.ts";
import { findPerson, keyOf } from "../store.ts";
import { viewerFor } from "../viewer.ts";
import { issueFor, issueIn, type RestEnv } from "./reach.ts";

const LONGEST_PROPERTY = 32_768;

/** Watchers, votes and entity properties: nothing proves that changing them counts as an update of the issue. */
export function watchingRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/issue/:key/watchers", async (c) => {
    const viewer = c.get("viewer");
    const text = await c.req.text();
    // The body is an account id as a JSON string; nothing means the caller.
    const given: unknown = text === "" ? viewer.person.accountId : JSON.parse(text);
    const issue = issueFor(
      viewer,
      c.req.param("key"),
      given === viewer.person.accountId ? "BROWSE_PROJECTS" : "MANAGE_WATCHERS",
    );
    const person = typeof given === "string" ? findPerson(viewer.world, given) : null;
    const isMember = viewer.site.members.some(({ accountId }) => accountId === person?.accountId);
    if (!person || !isMember || person.accountId !== given) throw invalid("The user was not found.");
    if (!canSeeIssue(viewerFor(viewer.world, viewer.site, person), issue)) {
      throw invalid("The user does not have permission to view this issue.");
    }
    if (!issue.watcherIds.includes(given)) issue.watcherIds.push(given);
    viewer.world.save();
    return c.body(null, 204);
  });
  app.delete("/issue/:key/watchers", (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "MANAGE_WATCHERS");
    const accountId = c.req.query("accountId") ?? viewer.person.accountId;
    issue.watcherIds = issue.watcherIds.filter((id) => id !== accountId);
    viewer.world.save();
    return c.body(null, 204);
  });
  app.post("/issue/:key/votes", (c) => {
    const viewer = c.get("viewer");
    const issue = issueIn(viewer, c.req.param("key"));
    const { accountId } = viewer.person;
    if (issue.values.reporter === accountId) throw missing("You cannot vote for an issue you have reported.");
    if (issue.resolvedAt !== null) throw missing("You cannot vote for a resolved issue.");
    if (!issue.voterIds.includes(accountId)) issue.voterIds.push(accountId);
    viewer.world.save();
    return c.body(null, 204);
  });
  app.put("/issue/:key/properties/:property", async (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "EDIT_ISSUES");
    const key = c.req.param("property");
    const isNew = !(key in issue.properties);
    issue.properties[key] = readProperty(key, await c.req.text());
    viewer.world.save();
    return c.json(
      { self: `${viewer.base}/rest/api/3/issue/${keyOf(viewer.site, issue)}/properties/${key}` },
      isNew ? 201 : 200,
    );
  });
  app.delete("/issue/:key/properties/:property", (c) => {
    const viewer = c.get("viewer");
    const issue = issueFor(viewer, c.req.param("key"), "EDIT_ISSUES");
    const key = c.req.param("property");
    if (!(key in issue.properties)) throw missing("The property was not found.");
    delete issue.properties[key];
    viewer.world.save();
    return c.body(null, 204);
  });
  return app;
}

/** Reads the value of an entity property: any JSON up to 32,768 characters, below a key of up to 255. */
export function readProperty(key: string, text: string): unknown {
  if (key.length > 255) throw invalid("The property key must not exceed 255 characters.");
  if (text.length > LONGEST_PROPERTY) throw invalid("The property value must not exceed 32768 characters.");
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("The value of the property must be valid JSON.");
  }
}
