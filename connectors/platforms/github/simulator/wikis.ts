import { existsSync } from "node:fs";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { gitDirectory } from "./repositories.ts";
import type { GithubWorld, Repository } from "./state.ts";

const AUTHOR = { name: "Nora Lindqvist", email: "nora@meridian.example" };
const FIRST_PAGE_AT = Date.UTC(2025, 2, 3, 9) / 1000;

/** Absolute path of a wiki's bare repository, which may not exist. */
export function wikiDirectory(world: GithubWorld, repository: Repository): string {
  return gitDirectory(world, repository).replace(/\.git$/, ".wiki.git");
}

/** Whether the wiki has a page, and therefore a git repository. */
export function hasWikiPages(world: GithubWorld, repository: Repository): boolean {
  return existsSync(wikiDirectory(world, repository));
}

/**
 * Creates pages as the web site does. The first page creates the git repository, whose branch is `master`. Each version
 * becomes one commit with the full text of its pages.
 */
export async function writeWiki(
  world: GithubWorld,
  repository: Repository,
  versions: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  const directory = wikiDirectory(world, repository);
  const isNew = !existsSync(directory);
  initBare(directory, "master");
  const script = createHistoryScript();
  const done = isNew ? 0 : Number(runGit(directory, ["rev-list", "--count", "master"]));
  let parent: string | number | undefined = isNew ? undefined : "refs/heads/master";
  for (const [index, pages] of versions.entries()) {
    parent = script.commit({
      ref: "refs/heads/master",
      author: AUTHOR,
      at: FIRST_PAGE_AT + (done + index) * 86_400,
      message: `${isNew && index === 0 ? "Created" : "Updated"} ${Object.keys(pages).join(", ")}\n`,
      from: parent,
      files: Object.entries(pages).map(([name, content]) => ({ path: `${name}.md`, content })),
    });
  }
  await importHistory(directory, script.parts());
}
