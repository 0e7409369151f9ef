import { Hono } from "hono";
import { readGitBlob, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { readCommit, resolveRevision } from "../read-commits.ts";
import { nodeId } from "../render.ts";
import { UNSIGNED } from "../render-commit.ts";
import { repositoryUrl } from "../render-issue.ts";
import { fullName, gitDirectory } from "../repositories.ts";
import type { GithubWorld } from "../state.ts";
import { notFound, page, problem, type RestEnv } from "./answers.ts";
import { type Asked, repositoryRouter } from "./repository-route.ts";

const READ = { permission: "contents", reach: "read" } as const;
const LINES = /.{1,60}/g;

/** `/repos/…/git`: refs, trees, blobs, commits and tags, as git stores them. */
export function gitDataRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/git/ref/:ref{.+}", READ, (asked) => {
    const name = `refs/${asked.c.req.param("ref")}`;
    const found = refsBelow(asked, name).find(({ ref }) => ref === name);
    return found === undefined ? notFound(asked.c) : asked.c.json(renderRef(asked, found));
  });
  route("GET", "/git/matching-refs/:ref{.+}", READ, (asked) =>
    page(asked.c, world, refsBelow(asked, `refs/${asked.c.req.param("ref")}*`), (one) =>
      renderRef(asked, one),
    ),
  );
  route("GET", "/git/trees/:sha{.+}", READ, tree);
  route("GET", "/git/blobs/:sha", READ, blob);
  route("GET", "/git/commits/:sha", READ, commit);
  route("GET", "/git/tags/:sha", READ, tag);
  return app;
}

type Ref = { ref: string; type: string; sha: string };

function refsBelow({ world, repository }: Asked, pattern: string): Ref[] {
  const format = "%(refname)%00%(objecttype)%00%(objectname)";
  return runGit(gitDirectory(world, repository), ["for-each-ref", `--format=${format}`])
    .split("\n")
    .flatMap((line) => {
      const [ref = "", type = "", sha = ""] = line.split("\0");
      const isMeant = pattern.endsWith("*") ? ref.startsWith(pattern.slice(0, -1)) : ref === pattern;
      return isMeant && sha !== "" ? [{ ref, type, sha }] : [];
    });
}

function renderRef({ world, repository }: Asked, { ref, type, sha }: Ref) {
  const base = `${repositoryUrl(world, repository)}/git`;
  return {
    ref,
    node_id: nodeId("REF", `${repository.id}:${ref}`),
    url: `${base}/${ref}`,
    object: { sha, type, url: `${base}/${type}s/${sha}` },
  };
}

function tree(asked: Asked): Response {
  const { c, world, repository } = asked;
  const directory = gitDirectory(world, repository);
  const sha = resolveRevision(directory, c.req.param("sha") ?? "", "tree");
  if (sha === null) return notFound(c);
  const base = `${repositoryUrl(world, repository)}/git`;
  const isDeep = c.req.query("recursive") !== undefined;
  const rows = runGit(directory, ["ls-tree", "-l", "-z", ...(isDeep ? ["-r", "-t"] : []), sha]).split("\0");
  return c.json({
    sha,
    url: `${base}/trees/${sha}`,
    tree: rows
      .filter((row) => row !== "")
      .map((row) => {
        const [facts = "", path = ""] = row.split("\t");
        const [mode = "", type = "", id = "", size = ""] = facts.split(/\s+/);
        return {
          ...{ path, mode, type, sha: id },
          ...(type === "blob" ? { size: Number(size) } : {}),
          ...(type === "commit" ? {} : { url: `${base}/${type}s/${id}` }),
        };
      }),
    truncated: false,
  });
}

function blob(asked: Asked): Response {
  const { c, world, repository } = asked;
  const directory = gitDirectory(world, repository);
  const sha = resolveRevision(directory, c.req.param("sha") ?? "", "blob");
  if (sha === null) return notFound(c);
  const bytes = readGitBlob(directory, sha);
  return c.json({
    sha,
    node_id: nodeId("B", `${repository.id}:${sha}`),
    size: bytes.length,
    url: `${repositoryUrl(world, repository)}/git/blobs/${sha}`,
    content: bytes.toString("base64").replace(LINES, "$&\n"),
    encoding: "base64",
  });
}

function commit(asked: Asked): Response {
  const { c, world, repository } = asked;
  const directory = gitDirectory(world, repository);
  const sha = resolveRevision(directory, c.req.param("sha") ?? "", "commit");
  if (sha === null) return notFound(c);
  const { tree: treeSha, parents, ...facts } = readCommit(directory, sha);
  const base = `${repositoryUrl(world, repository)}/git`;
  const site = `${world.webUrl}/${fullName(repository)}/commit`;
  return c.json({
    ...facts,
    node_id: nodeId("C", `${repository.id}:${sha}`),
    url: `${base}/commits/${sha}`,
    html_url: `${site}/${sha}`,
    tree: { sha: treeSha, url: `${base}/trees/${treeSha}` },
    parents: parents.map((id) => ({ sha: id, url: `${base}/commits/${id}`, html_url: `${site}/${id}` })),
    verification: UNSIGNED,
  });
}

/** An annotated tag. A plain one has no object of its own. */
function tag(asked: Asked): Response {
  const { c, world, repository } = asked;
  const directory = gitDirectory(world, repository);
  const sha = resolveRevision(directory, c.req.param("sha") ?? "", "tag");
  if (sha === null) return notFound(c);
  const text = runGit(directory, ["cat-file", "tag", sha]);
  const [head = "", ...message] = text.split("\n\n");
  const fact = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(head)?.[1] ?? "";
  const [, name = "", email = "", seconds = "0"] = /^(.*) <(.*)> (\d+)/.exec(fact("tagger")) ?? [];
  const base = `${repositoryUrl(world, repository)}/git`;
  const date = new Date(Number(seconds) * 1_000).toISOString().replace(/\.\d+Z$/, "Z");
  if (fact("tag") === "") return problem(c, 404, "Not Found");
  return c.json({
    ...{ sha, node_id: nodeId("TA", `${repository.id}:${sha}`), url: `${base}/tags/${sha}` },
    ...{ tag: fact("tag"), message: message.join("\n\n").replace(/\n+$/, "") },
    tagger: { name, email, date },
    object: { sha: fact("object"), type: fact("type"), url: `${base}/${fact("type")}s/${fact("object")}` },
    verification: UNSIGNED,
  });
}
