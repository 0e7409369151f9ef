import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { errorPage, layout } from "./consent-page.ts";
import { listGistFiles, readGistFile } from "./gists.ts";
import {
  defaultBranch,
  fullName,
  gitDirectory,
  listRefs,
  listRepositories,
  lookUpRepository,
} from "./repositories.ts";
import { findAccount, type Gist, type GithubWorld } from "./state.ts";

/** Web pages of accounts and repositories, so that "Visit" links work. */
export function webPages(world: GithubWorld): Hono {
  const app = new Hono();
  app.get("/", (c) => c.html(layout("Repositories", list(world, null))));
  app.get("/avatars/:file", (c) => {
    const login = c.req.param("file").replace(/\.svg$/, "");
    return c.body(avatar(login), 200, { "Content-Type": "image/svg+xml" });
  });
  app.get("/:owner/:gist/raw/:blob/:file", (c) => {
    const gist = world.state.gists.find(({ id }) => id === c.req.param("gist"));
    const file = gist && listGistFiles(world, gist).find(({ blob }) => blob === c.req.param("blob"));
    return gist && file ? c.text(readGistFile(world, gist, file.blob)) : c.notFound();
  });
  app.get("/:gist{[0-9a-f]{32}}", (c) => {
    const gist = world.state.gists.find(({ id }) => id === c.req.param("gist"));
    if (!gist) return c.html(errorPage("This is not the web page you are looking for."), 404);
    return c.html(layout(gist.description ?? gist.id, gistPage(world, gist)));
  });
  app.get("/:owner", (c) => {
    const account = findAccount(world, c.req.param("owner"));
    if (!account) return c.html(errorPage("This is not the web page you are looking for."), 404);
    return c.html(layout(account.name, list(world, account.login)));
  });
  app.get("/:owner/:repo", (c) => repositoryPage(c, world, c.req.param("owner"), c.req.param("repo")));
  return app;
}

function list(world: GithubWorld, owner: string | null) {
  const rows = listRepositories(world)
    .filter((repository) => owner === null || repository.owner === owner)
    .map(
      (repository) => html`<tr><td><a href="/${fullName(repository)}">${fullName(repository)}</a><br>
        <span class="quiet">${repository.description ?? ""}</span></td>
        <td><span class="badge">${repository.visibility}</span></td></tr>`,
    );
  return html`<h1>${owner ?? "Repositories"}</h1><table>${rows}</table>`;
}

function gistPage(world: GithubWorld, gist: Gist) {
  return html`<h1>${gist.owner} / ${listGistFiles(world, gist)[0]?.name ?? gist.id}</h1>
    <p class="quiet">${gist.description ?? ""} <span class="badge">${gist.isPublic ? "public" : "secret"}</span></p>
    ${listGistFiles(world, gist).map(
      ({ name, blob }) => html`<h2>${name}</h2><pre>${readGistFile(world, gist, blob)}</pre>`,
    )}`;
}

/** The simulated web site has no sign-in: it shows every repository. */
function repositoryPage(c: Context, world: GithubWorld, owner: string, name: string) {
  const lookup = lookUpRepository(world, owner, name);
  if (lookup.kind === "missing")
    return c.html(errorPage("This is not the web page you are looking for."), 404);
  const { repository } = lookup;
  if (lookup.kind === "moved") return c.redirect(`${world.webUrl}/${fullName(repository)}`, 301);
  const branch = defaultBranch(world, repository);
  const branches = listRefs(world, repository, "refs/heads/");
  const tags = listRefs(world, repository, "refs/tags/");
  const tip = branches.find((candidate) => candidate.name === branch);
  const commits = tip
    ? runGit(gitDirectory(world, repository), ["log", "-15", "--format=%h%x00%s%x00%an%x00%as", tip.commit])
        .trim()
        .split("\n")
        .map((line) => line.split("\0"))
    : [];
  return c.html(
    layout(
      fullName(repository),
      html`<h1>${fullName(repository)}</h1>
        <p class="quiet">${repository.description ?? "No description"}</p>
        <p><span class="badge">${repository.visibility}</span> <span class="badge">${branches.length} branches</span>
          <span class="badge">${tags.length} tags</span> <span class="badge">default: ${branch}</span></p>
        <p><code>git clone ${world.webUrl}/${fullName(repository)}.git</code></p>
        ${commits.length === 0 ? html`<p>This repository is empty.</p>` : ""}
        <table>${commits.map(
          ([hash, subject, author, day]) =>
            html`<tr><td><code>${hash}</code></td><td>${subject}<br><span class="quiet small">${author}</span></td>
              <td class="quiet small">${day}</td></tr>`,
        )}</table>`,
    ),
  );
}

function avatar(login: string): string {
  const hue = [...login].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
  const initials = login
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase())
    .slice(0, 2)
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="hsl(${hue} 45% 45%)"/><text x="20" y="26" font-family="system-ui" font-size="16" font-weight="600" fill="#fff" text-anchor="middle">${initials}</text></svg>`;
}
