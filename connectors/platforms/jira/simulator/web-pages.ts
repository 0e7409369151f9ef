import { Hono } from "hono";
import { html } from "hono/html";
import { initialsPicture } from "#connectors/toolkit/simulator/initials-picture.ts";
import { plainText } from "./adf.ts";
import { errorPage, layout } from "./consent-page.ts";
import type { JiraWorld } from "./state.ts";
import { findIssue, findProject, findSite, issuesOf, keyOf, statusOf } from "./store.ts";

const NOWHERE = "This page does not exist, or it is private.";

/** Web pages of sites, projects and issues, so that links to them work. They have no sign-in and show everything. */
export function webPages(world: JiraWorld): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    const rows = world.state.sites.map(
      ({ slug, name }) => html`<tr><td><a href="/sites/${slug}">${name}</a></td></tr>`,
    );
    return c.html(layout("Sites", html`<h1>Sites</h1><table>${rows}</table>`));
  });
  app.get("/avatars/:file", (c) => {
    const name = c.req.param("file").replace(/\.svg$/, "");
    return c.body(initialsPicture(name), 200, { "Content-Type": "image/svg+xml" });
  });
  // Tells the cloud id of a site to whoever knows its address.
  app.get("/sites/:site/_edge/tenant_info", (c) => {
    const site = findSite(world, c.req.param("site"));
    return site ? c.json({ cloudId: site.cloudId }) : c.json({}, 404);
  });
  app.get("/sites/:site", (c) => {
    const site = findSite(world, c.req.param("site"));
    if (!site) return c.html(errorPage(NOWHERE), 404);
    const rows = site.projects.map(
      ({ key, name, typeKey }) =>
        html`<tr><td><a href="/sites/${site.slug}/browse/${key}">${key}</a></td><td>${name}</td>
          <td><span class="badge">${typeKey}</span></td></tr>`,
    );
    return c.html(layout(site.name, html`<h1>${site.name}</h1><table>${rows}</table>`));
  });
  app.get("/sites/:site/browse/:key", (c) => {
    const site = findSite(world, c.req.param("site"));
    const key = c.req.param("key");
    const project = site && findProject(site, key);
    if (site && project) {
      const rows = issuesOf(world, site, project).map(
        (issue) =>
          html`<tr><td><a href="/sites/${site.slug}/browse/${keyOf(site, issue)}">${keyOf(site, issue)}</a></td>
            <td>${String(issue.values.summary ?? "")}</td><td>${statusOf(site, issue).name}</td></tr>`,
      );
      return c.html(layout(project.name, html`<h1>${project.name}</h1><table>${rows}</table>`));
    }
    const issue = site && findIssue(world, site, key);
    if (!site || !issue) return c.html(errorPage(NOWHERE), 404);
    const title = `${keyOf(site, issue)} ${String(issue.values.summary ?? "")}`;
    return c.html(
      layout(
        title,
        html`<h1>${title}</h1><p><span class="badge">${statusOf(site, issue).name}</span></p>
          <p>${plainText(issue.values.description)}</p>
          <ul>${issue.attachments.map(({ fileName }) => html`<li>${fileName}</li>`)}</ul>
          <table>${issue.comments.map(({ body }) => html`<tr><td>${plainText(body)}</td></tr>`)}</table>`,
      ),
    );
  });
  app.get("*", (c) => c.html(errorPage(NOWHERE), 404));
  return app;
}
