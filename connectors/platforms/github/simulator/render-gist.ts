import { listGistCommits, listGistFiles, readGistFile } from "./gists.ts";
import { type Body, nodeId } from "./render.ts";
import { renderLogin } from "./render-issue.ts";
import type { Gist, GistComment, GithubWorld } from "./state.ts";

/** Texts of files above this size are truncated in answers. The full text is at `raw_url` and in git. */
const CONTENT_LIMIT = 1_048_576;
/** Maximum number of files in an answer. */
const FILE_LIMIT = 300;
const LANGUAGES: Readonly<Record<string, [string, string | null]>> = {
  md: ["text/markdown", "Markdown"],
  ts: ["video/MP2T", "TypeScript"],
  js: ["application/javascript", "JavaScript"],
  json: ["application/json", "JSON"],
  sh: ["application/x-sh", "Shell"],
  py: ["application/x-python", "Python"],
  sql: ["application/sql", "SQL"],
};

/** A gist in the form of lists: files without their texts. */
export function renderGist(world: GithubWorld, gist: Gist): Body {
  const url = `${world.apiUrl}/gists/${gist.id}`;
  const files = listGistFiles(world, gist);
  return {
    url,
    forks_url: `${url}/forks`,
    commits_url: `${url}/commits`,
    id: gist.id,
    node_id: nodeId("G", gist.id),
    git_pull_url: `${world.webUrl}/${gist.id}.git`,
    git_push_url: `${world.webUrl}/${gist.id}.git`,
    html_url: `${world.webUrl}/${gist.id}`,
    files: Object.fromEntries(
      files.slice(0, FILE_LIMIT).map(({ name, blob, size }) => {
        const [type, language] = LANGUAGES[name.split(".").at(-1) ?? ""] ?? ["text/plain", "Text"];
        const raw = `${world.webUrl}/${gist.owner}/${gist.id}/raw/${blob}/${encodeURIComponent(name)}`;
        return [name, { filename: name, type, language, raw_url: raw, size }];
      }),
    ),
    public: gist.isPublic,
    created_at: gist.createdAt,
    updated_at: gist.updatedAt,
    description: gist.description,
    comments: gist.comments.length,
    user: null,
    comments_enabled: true,
    comments_url: `${url}/comments`,
    owner: renderLogin(world, gist.owner),
    truncated: files.length > FILE_LIMIT,
  };
}

/** A single gist, with the texts of its files and its history. */
export function renderWholeGist(world: GithubWorld, gist: Gist): Body {
  const body = renderGist(world, gist);
  const shown = body.files as Record<string, Body>;
  for (const { name, blob, size } of listGistFiles(world, gist)) {
    const file = shown[name];
    if (!file) continue;
    const text = readGistFile(world, gist, blob);
    const isTruncated = size > CONTENT_LIMIT;
    file.truncated = isTruncated;
    file.content = isTruncated ? Buffer.from(text).subarray(0, CONTENT_LIMIT).toString() : text;
    file.encoding = "utf-8";
  }
  return { ...body, forks: [], history: renderHistory(world, gist).slice(0, 30) };
}

/** The commits of a gist, newest first. */
export function renderHistory(world: GithubWorld, gist: Gist): Body[] {
  return listGistCommits(world, gist).map(({ version, at }) => ({
    user: renderLogin(world, gist.owner),
    version,
    committed_at: at,
    change_status: { total: 1, additions: 1, deletions: 0 },
    url: `${world.apiUrl}/gists/${gist.id}/${version}`,
  }));
}

/** A comment on a gist. */
export function renderGistComment(world: GithubWorld, gist: Gist, comment: GistComment): Body {
  return {
    id: comment.id,
    node_id: nodeId("GC", comment.id),
    url: `${world.apiUrl}/gists/${gist.id}/comments/${comment.id}`,
    body: comment.body,
    user: renderLogin(world, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: comment.author === gist.owner ? "OWNER" : "NONE",
  };
}
