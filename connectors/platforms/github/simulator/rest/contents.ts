import { Hono } from "hono";
import { readGitBlob, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { resolveRevision } from "../read-commits.ts";
import { repositoryUrl } from "../render-issue.ts";
import { defaultBranch, fullName, gitDirectory } from "../repositories.ts";
import type { GithubWorld } from "../state.ts";
import { notFound, type RestEnv } from "./answers.ts";
import { type Asked, repositoryRouter } from "./repository-route.ts";

/** Largest file that an answer contains. GitHub lists larger files without their bytes. */
const LARGEST_CONTENT = 1024 * 1024;
const LINES = /.{1,60}/g;
const READ = { permission: "contents", reach: "read" } as const;

/** A file or folder at a revision. */
type Entry = { path: string; type: "file" | "dir"; object: string; size: number; ref: string };

/** `/repos/…/contents/{path}` and `/readme`: files and folders of the default branch, or of what `ref` names. */
export function contentRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/contents", READ, (asked) => contents(asked, ""));
  route("GET", "/contents/:path{.*}", READ, (asked) => contents(asked, asked.c.req.param("path") ?? ""));
  route("GET", "/readme", READ, (asked) => {
    const readme = list(asked, "")?.find(
      ({ path, type }) => type === "file" && /^readme(\.\w+)?$/i.test(path),
    );
    return readme === undefined ? notFound(asked.c) : asked.c.json(whole(asked, readme));
  });
  return app;
}

function contents(asked: Asked, path: string): Response {
  const { c } = asked;
  const place = path.replace(/\/$/, "");
  if (place !== "" && place.split("/").some((part) => ["", ".", ".."].includes(part))) return notFound(c);
  if (place === "") {
    const top = list(asked, "");
    return top === null ? notFound(c) : c.json(top.map((entry) => render(asked, entry)));
  }
  const folder = place.includes("/") ? place.slice(0, place.lastIndexOf("/")) : "";
  const entry = list(asked, folder)?.find((one) => one.path === place);
  if (entry === undefined) return notFound(c);
  if (entry.type === "file") return c.json(whole(asked, entry));
  return c.json((list(asked, place) ?? []).map((one) => render(asked, one)));
}

/** What is in a folder; null = there is no such revision. */
function list({ c, world, repository }: Asked, folder: string): Entry[] | null {
  const directory = gitDirectory(world, repository);
  const ref = c.req.query("ref") ?? defaultBranch(world, repository);
  const commit = resolveRevision(directory, ref, "commit");
  if (commit === null) return null;
  const below = folder === "" ? [] : ["--", `${folder}/`];
  return runGit(directory, ["ls-tree", "-l", "-z", commit, ...below])
    .split("\0")
    .flatMap((row): Entry[] => {
      const [facts = "", path = ""] = row.split("\t");
      const [, type = "", object = "", size = ""] = facts.split(/\s+/);
      if (type === "tree") return [{ path, type: "dir", object, size: 0, ref }];
      return type === "blob" ? [{ path, type: "file", object, size: Number(size), ref }] : [];
    });
}

function whole(asked: Asked, entry: Entry) {
  const isSent = entry.size <= LARGEST_CONTENT;
  const directory = gitDirectory(asked.world, asked.repository);
  const base64 = isSent ? readGitBlob(directory, entry.object).toString("base64") : "";
  return {
    ...render(asked, entry),
    encoding: isSent ? "base64" : "none",
    content: base64.replace(LINES, "$&\n"),
  };
}

function render({ world, repository }: Asked, { path, type, object, size, ref }: Entry) {
  const place = path.split("/").map(encodeURIComponent).join("/");
  const page = `${world.webUrl}/${fullName(repository)}`;
  const isFile = type === "file";
  const links = {
    self: `${repositoryUrl(world, repository)}/contents/${place}?ref=${encodeURIComponent(ref)}`,
    git: `${repositoryUrl(world, repository)}/git/${isFile ? "blobs" : "trees"}/${object}`,
    html: `${page}/${isFile ? "blob" : "tree"}/${ref}/${place}`,
  };
  return {
    ...{ type, size, name: path.split("/").at(-1) ?? "", path, sha: object },
    ...{ url: links.self, git_url: links.git, html_url: links.html },
    download_url: isFile ? `${page}/raw/${ref}/${place}` : null,
    _links: links,
  };
}
