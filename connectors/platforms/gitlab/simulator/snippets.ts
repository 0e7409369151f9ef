import path from "node:path";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { isEmptyBare, removeBare } from "./bare.ts";
import { fullPath } from "./projects.ts";
import { type GitlabWorld, nextId, type Snippet, timestamp } from "./state.ts";

/** One file of a snippet, or one change to it. */
export type SnippetFile = {
  path: string;
  content: string;
  action?: "create" | "update" | "delete" | "move";
  previousPath?: string;
};

/** Most files in a snippet. */
export const SNIPPET_FILE_LIMIT = 10;

/** Directory of its repository. */
export function snippetDirectory(world: GitlabWorld, snippet: Snippet): string {
  return path.join(world.directory, "snippets", `${snippet.id}.git`);
}

/** `snippets/7`, or `group/project/snippets/7`. */
export function snippetPath(world: GitlabWorld, snippet: Snippet): string {
  const project = world.state.projects.find(({ id }) => id === snippet.projectId);
  return project ? `${fullPath(world, project)}/snippets/${snippet.id}` : `snippets/${snippet.id}`;
}

/** Creates a snippet with its first files. */
export async function createSnippet(
  world: GitlabWorld,
  order: Pick<Snippet, "projectId" | "authorId" | "title"> & Partial<Snippet>,
  files: readonly SnippetFile[],
): Promise<Snippet> {
  const now = timestamp();
  const snippet: Snippet = {
    id: nextId(world.state),
    description: null,
    visibility: "private",
    createdAt: now,
    updatedAt: now,
    notes: [],
    awards: [],
    ...order,
  };
  initBare(snippetDirectory(world, snippet));
  await changeFiles(world, snippet, files);
  world.state.snippets.push(snippet);
  world.save();
  return snippet;
}

/** Deletes a snippet permanently. */
export function deleteSnippet(world: GitlabWorld, snippet: Snippet): void {
  world.state.snippets = world.state.snippets.filter((known) => known !== snippet);
  removeBare(snippetDirectory(world, snippet));
  world.save();
}

/** Names of its files in git's order. */
export function snippetFiles(world: GitlabWorld, snippet: Snippet): string[] {
  const directory = snippetDirectory(world, snippet);
  if (isEmptyBare(directory)) return [];
  return runGit(directory, ["ls-tree", "-r", "-z", "--name-only", "HEAD"]).split("\0").filter(Boolean);
}

/** Commits file changes, as an edit in the web form does. */
export async function changeFiles(
  world: GitlabWorld,
  snippet: Snippet,
  files: readonly SnippetFile[],
): Promise<void> {
  if (files.length === 0) return;
  const directory = snippetDirectory(world, snippet);
  const author = world.state.users.find(({ id }) => id === snippet.authorId);
  const ref = runGit(directory, ["symbolic-ref", "HEAD"]).trim();
  const script = createHistoryScript();
  const isFirst = isEmptyBare(directory);
  script.commit({
    ref,
    author: { name: author?.name ?? "Ghost User", email: author?.email ?? "ghost@localhost" },
    at: Math.floor(Date.parse(snippet.updatedAt) / 1000),
    message: isFirst ? "Initial commit" : "Update snippet",
    from: isFirst ? undefined : ref,
    deleted: files.flatMap(({ action, path: file, previousPath }) =>
      action === "delete" ? [file] : action === "move" && previousPath ? [previousPath] : [],
    ),
    files: files
      .filter(({ action }) => action !== "delete")
      .map(({ path: file, content }) => ({ path: file, content })),
  });
  await importHistory(directory, script.parts());
}
