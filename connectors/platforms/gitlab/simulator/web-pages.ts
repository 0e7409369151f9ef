import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { initialsPicture } from "#connectors/toolkit/simulator/initials-picture.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { headBranch, isEmptyBare, listRefs, resolveCommit } from "./bare.ts";
import { errorPage, layout } from "./consent-page.ts";
import { codeDirectory, fullPath, listProjects, lookUpProject } from "./projects.ts";
import { snippetFiles } from "./snippets.ts";
import type { GitlabWorld } from "./state.ts";

const NOWHERE = "Page not found. Make sure the address is correct and the page has not moved.";

/** Web pages of projects and snippets, so that "Visit" links work. */
export function webPages(world: GitlabWorld): Hono {
  const app = new Hono();
  app.get("/", (c) => c.html(layout("Projects", projectList(world, ""))));
  app.get("/uploads/-/avatars/:file", (c) => {
    const name = c.req.param("file").replace(/\.svg$/, "");
    return c.body(initialsPicture(name), 200, { "Content-Type": "image/svg+xml" });
  });
  app.get("/-/snippets/:id", (c) => snippetPage(c, world, Number(c.req.param("id"))));
  app.get("/groups/*", (c) =>
    c.html(layout("Group", projectList(world, c.req.path.slice("/groups/".length)))),
  );
  app.get("*", (c) => {
    const [path = "", part = ""] = decodeURIComponent(c.req.path.slice(1)).split("/-/");
    const snippet = /^snippets\/(\d+)/.exec(part)?.[1];
    if (snippet !== undefined) return snippetPage(c, world, Number(snippet));
    if (!path.includes("/")) return c.html(layout(path, projectList(world, path)));
    return projectPage(c, world, path);
  });
  return app;
}

function projectList(world: GitlabWorld, below: string) {
  const rows = listProjects(world)
    .map((project) => ({ project, path: fullPath(world, project) }))
    .filter(({ path }) => below === "" || path.startsWith(`${below}/`))
    .map(
      ({ project, path }) => html`<tr><td><a href="/${path}">${path}</a><br>
        <span class="quiet">${project.description ?? ""}</span></td>
        <td><span class="badge">${project.visibility}</span></td></tr>`,
    );
  return html`<h1>${below === "" ? "Projects" : below}</h1><table>${rows}</table>`;
}

/** A project's page. The simulated web site has no sign-in and shows everything. */
function projectPage(c: Context, world: GitlabWorld, path: string) {
  const lookup = lookUpProject(world, path);
  if (lookup.kind === "missing") return c.html(errorPage(NOWHERE), 404);
  const { project } = lookup;
  const full = fullPath(world, project);
  if (lookup.kind === "moved") return c.redirect(`${world.url}/${full}`, 301);
  const directory = codeDirectory(world, project);
  const branch = headBranch(directory);
  const tip = resolveCommit(directory, branch);
  const commits = tip
    ? runGit(directory, ["log", "-12", "--format=%h%x00%s%x00%an%x00%as", tip])
        .trim()
        .split("\n")
        .map((line) => line.split("\0"))
    : [];
  const badge = (text: string) => html`<span class="badge">${text}</span> `;
  return c.html(
    layout(
      full,
      html`<h1>${project.name}</h1><p class="quiet">${project.description ?? "No description"}</p>
        <p>${badge(project.visibility)}${badge(`${listRefs(directory, "refs/heads/").length} branches`)}${badge(
          `${listRefs(directory, "refs/tags/").length} tags`,
        )}${badge(`default: ${branch}`)}${badge(`${project.releases.length} releases`)}</p>
        <p><code>git clone ${world.url}/${full}.git</code></p>
        ${isEmptyBare(directory) ? html`<p>The repository for this project is empty.</p>` : ""}
        <table>${commits.map(
          ([hash, subject, author, day]) =>
            html`<tr><td><code>${hash}</code></td><td>${subject}<br><span class="quiet small">${author}</span></td>
              <td class="quiet small">${day}</td></tr>`,
        )}</table>
        ${issuables("Issues", "#", project.issues)}${issuables("Merge requests", "!", project.mergeRequests)}`,
    ),
  );
}

function issuables(
  title: string,
  sign: string,
  things: readonly { iid: number; title: string; state: string }[],
) {
  if (things.length === 0) return "";
  const shown = things.slice(-30).reverse();
  return html`<h2>${title} (${things.length})</h2><table>${shown.map(
    ({ iid, title: name, state }) =>
      html`<tr><td>${sign}${iid}</td><td>${name}</td><td><span class="badge">${state}</span></td></tr>`,
  )}</table>`;
}

function snippetPage(c: Context, world: GitlabWorld, id: number) {
  const snippet = world.state.snippets.find((known) => known.id === id);
  if (!snippet) return c.html(errorPage(NOWHERE), 404);
  const files = snippetFiles(world, snippet).map((file) => html`<li><code>${file}</code></li>`);
  return c.html(
    layout(
      snippet.title,
      html`<h1>${snippet.title}</h1><p class="quiet">${snippet.description ?? ""}</p><ul>${files}</ul>`,
    ),
  );
}
