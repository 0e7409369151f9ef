import { Hono } from "hono";
import { GLOBAL_PERMISSIONS, hasGlobal, hasPermission, PROJECT_PERMISSIONS } from "../permissions.ts";
import { invalid, missing } from "../refused.ts";
import { renderUser } from "../render-people.ts";
import { findPerson, projectOf } from "../store.ts";
import type { Viewer } from "../viewer.ts";
import { issueIn, listOf, numberOf, projectIn, type RestEnv, requireGlobal } from "./reach.ts";

/** Users, permissions and licences. */
export function peopleRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/myself", (c) => {
    const viewer = c.get("viewer");
    return c.json({ ...renderUser(viewer, viewer.person), locale: "en_GB" });
  });
  app.get("/user", (c) => {
    const viewer = c.get("viewer");
    const person = membersOf(viewer).find(({ accountId }) => accountId === c.req.query("accountId"));
    if (!person) throw missing("Specified user does not exist or you do not have required permissions");
    return c.json(renderUser(viewer, person));
  });
  app.get("/user/search", (c) => {
    const viewer = c.get("viewer");
    const accountId = c.req.query("accountId");
    const query = (c.req.query("query") ?? "").toLowerCase();
    if (query === "" && accountId === undefined) throw invalid("The query parameter is required.");
    const found = membersOf(viewer).filter((person) => {
      if (accountId !== undefined) return person.accountId === accountId;
      // The address is matched whole, also when it is hidden.
      const isNamed = person.displayName
        .toLowerCase()
        .split(/\s+/)
        .some((part) => part.startsWith(query));
      return (
        isNamed || person.displayName.toLowerCase().startsWith(query) || person.email.toLowerCase() === query
      );
    });
    const startAt = numberOf(c, "startAt", 0);
    const page = found.slice(startAt, startAt + Math.min(numberOf(c, "maxResults", 50), 1_000));
    return c.json(page.map((person) => renderUser(viewer, person)));
  });
  app.get("/user/bulk", (c) => {
    const viewer = c.get("viewer");
    const ids = new Set(c.req.queries("accountId") ?? []);
    const found = membersOf(viewer).filter(({ accountId }) => ids.has(accountId));
    const values = found.map((person) => renderUser(viewer, person));
    return c.json({ maxResults: 200, startAt: 0, total: values.length, isLast: true, values });
  });
  app.get("/users/search", (c) => {
    const viewer = c.get("viewer");
    const startAt = numberOf(c, "startAt", 0);
    const page = membersOf(viewer).slice(startAt, startAt + Math.min(numberOf(c, "maxResults", 50), 1_000));
    return c.json(page.map((person) => renderUser(viewer, person)));
  });
  app.get("/user/assignable/search", (c) => {
    const viewer = c.get("viewer");
    projectIn(viewer, c.req.query("project") ?? "");
    const query = (c.req.query("query") ?? "").toLowerCase();
    const found = membersOf(viewer).filter(
      ({ displayName, email, isActive }) =>
        isActive && (displayName.toLowerCase().includes(query) || email.toLowerCase() === query),
    );
    return c.json(found.slice(0, 50).map((person) => renderUser(viewer, person)));
  });
  app.get("/mypermissions", (c) => {
    const viewer = c.get("viewer");
    const names = listOf(c, "permissions");
    // Since 2019 the permissions to be told must be named.
    if (names.length === 0) {
      throw invalid("The 'permissions' query parameter is required.");
    }
    const unknown = names.filter((name) => !(name in PROJECT_PERMISSIONS) && !(name in GLOBAL_PERMISSIONS));
    if (unknown.length > 0) throw invalid(`Unrecognized permission: ${unknown.join(", ")}`);
    return c.json({
      permissions: Object.fromEntries(
        names.map((key, index) => [key, permissionOf(viewer, c.req.query(), key, index)]),
      ),
    });
  });
  app.get("/license/approximateLicenseCount", (c) => {
    const viewer = c.get("viewer");
    requireGlobal(viewer, "ADMINISTER");
    return c.json({ key: "license.totalApproximateUserCount", value: String(licensed(viewer)) });
  });
  app.get("/license/approximateLicenseCount/product/:product", (c) => {
    const viewer = c.get("viewer");
    requireGlobal(viewer, "ADMINISTER");
    const product = c.req.param("product");
    const value = product === "jira-software" ? licensed(viewer) : 0;
    return c.json({ key: `license.approximateUserCount.${product}`, value: String(value) });
  });
  app.get("/instance/license", (c) =>
    c.json({
      applications: [
        { id: "jira-software", plan: c.get("viewer").site.edition === "free" ? "FREE" : "PAID" },
      ],
    }),
  );
  app.get("/serverInfo", (c) => {
    const { world, site } = c.get("viewer");
    return c.json({
      baseUrl: `${world.url}/sites/${site.slug}`,
      version: "1001.0.0-SNAPSHOT",
      versionNumbers: [1001, 0, 0],
      deploymentType: "Cloud",
      buildNumber: 100_291,
      serverTitle: "Jira",
    });
  });
  return app;
}

function membersOf({ world, site }: Viewer) {
  return site.members.flatMap(({ accountId }) => findPerson(world, accountId) ?? []);
}

function licensed(viewer: Viewer): number {
  return membersOf(viewer).filter(({ isActive, accountType }) => isActive && accountType === "atlassian")
    .length;
}

function permissionOf(viewer: Viewer, query: Record<string, string>, key: string, index: number) {
  const isGlobal = key in GLOBAL_PERMISSIONS;
  return {
    id: String(index),
    key,
    name: PROJECT_PERMISSIONS[key] ?? GLOBAL_PERMISSIONS[key],
    type: isGlobal ? "GLOBAL" : "PROJECT",
    description: "",
    havePermission: isGlobal ? hasGlobal(viewer, key) : hasProjectPermission(viewer, query, key),
  };
}

/** For an issue, a project, or any project at all. */
function hasProjectPermission(viewer: Viewer, query: Record<string, string>, key: string): boolean {
  const { issueKey, issueId, projectKey, projectId } = query;
  const issueName = issueKey ?? issueId;
  if (issueName !== undefined) {
    const issue = issueIn(viewer, issueName);
    return hasPermission(viewer, key, projectOf(viewer.site, issue), issue);
  }
  const projectName = projectKey ?? projectId;
  if (projectName !== undefined) return hasPermission(viewer, key, projectIn(viewer, projectName));
  return viewer.site.projects.some((project) => hasPermission(viewer, key, project));
}
