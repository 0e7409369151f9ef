import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { findAccount, type Gist, type GithubWorld, timestamp } from "./state.ts";

/** Path of a gist's bare repository. */
export function gistDirectory(world: GithubWorld, gist: Gist): string {
  return path.join(world.directory, "gists", `${gist.id}.git`);
}

/** One file in the HEAD commit of a gist. */
export type GistFile = { name: string; blob: string; size: number };

/** A change to a gist's files: new content, a new name, or null = deleted. */
export type GistChange = Record<string, { content?: string; filename?: string | null } | null>;

/** Creates a gist with its first commit. @param at epoch ms */
export async function createGist(
  world: GithubWorld,
  order: Pick<Gist, "owner" | "description" | "isPublic"> & { files: Record<string, string> },
  at: number = Date.now(),
): Promise<Gist> {
  const gist: Gist = {
    id: randomBytes(16).toString("hex"),
    owner: order.owner,
    description: order.description,
    isPublic: order.isPublic,
    createdAt: timestamp(at),
    updatedAt: timestamp(at),
    comments: [],
  };
  const directory = gistDirectory(world, gist);
  initBare(directory);
  const files = Object.entries(order.files).map(([name, content]) => [name, { content }] as const);
  await commitGist(world, gist, Object.fromEntries(files), at);
  world.state.gists.push(gist);
  world.save();
  return gist;
}

/** Commits a change to a gist's files. The commit message is empty, as at GitHub. */
export async function commitGist(
  world: GithubWorld,
  gist: Gist,
  change: GistChange,
  at: number = Date.now(),
): Promise<void> {
  const directory = gistDirectory(world, gist);
  const known = listGistFiles(world, gist);
  const owner = findAccount(world, gist.owner);
  const deleted: string[] = [];
  const files: { path: string; content: string | Uint8Array }[] = [];
  for (const [name, entry] of Object.entries(change)) {
    const isRenamed = entry?.filename !== undefined && entry.filename !== null && entry.filename !== name;
    if (entry === null || entry.filename === null || isRenamed) deleted.push(name);
    if (entry === null || entry.filename === null) continue;
    const old = known.find((file) => file.name === name);
    const content = entry.content ?? (old ? readGistFile(world, gist, old.blob) : null);
    if (content !== null) files.push({ path: entry.filename ?? name, content });
  }
  const script = createHistoryScript();
  script.commit({
    ref: "refs/heads/main",
    message: "",
    author: { name: owner?.name ?? gist.owner, email: owner?.email ?? `${gist.owner}@users.example` },
    at: Math.floor(at / 1000),
    from: known.length > 0 ? "refs/heads/main" : undefined,
    files,
    deleted,
  });
  await importHistory(directory, script.parts());
}

/** The current files of a gist. Folders, which only a push can create, are omitted. */
export function listGistFiles(world: GithubWorld, gist: Gist): GistFile[] {
  const directory = gistDirectory(world, gist);
  if (runGit(directory, ["for-each-ref", "--count=1"]) === "") return [];
  return runGit(directory, ["ls-tree", "-z", "-l", "HEAD"])
    .split("\0")
    .flatMap((row) => {
      const [, blob = "", size = "0", name = ""] = /^\d+ blob (\S+)\s+(\d+)\t(.*)$/s.exec(row) ?? [];
      return name === "" ? [] : [{ name, blob, size: Number(size) }];
    });
}

/** The text of a file. */
export function readGistFile(world: GithubWorld, gist: Gist, blob: string): string {
  return runGit(gistDirectory(world, gist), ["cat-file", "blob", blob]);
}

/** The commits of a gist, newest first. */
export function listGistCommits(world: GithubWorld, gist: Gist): { version: string; at: string }[] {
  const directory = gistDirectory(world, gist);
  if (runGit(directory, ["for-each-ref", "--count=1"]) === "") return [];
  return runGit(directory, ["log", "--format=%H %ct", "HEAD"])
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => {
      const [version = "", at = "0"] = row.split(" ");
      return { version, at: timestamp(Number(at) * 1000) };
    });
}

/** Deletes a gist permanently. */
export function deleteGist(world: GithubWorld, gist: Gist): void {
  const directory = gistDirectory(world, gist);
  if (existsSync(directory)) rmSync(directory, { recursive: true, force: true });
  world.state.gists = world.state.gists.filter((known) => known !== gist);
  world.save();
}
