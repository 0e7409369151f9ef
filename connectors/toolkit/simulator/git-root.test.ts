import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findRootRepositories, freeName } from "./git-root.ts";
import { runGit } from "./run-git.ts";

function emptyRoot(): {
  root: string;
  bare: (where: string) => void;
  file: (where: string, text: string) => void;
} {
  const root = mkdtempSync(path.join(tmpdir(), "git-root-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return {
    root,
    bare: (where) => void runGit(null, ["init", "--quiet", "--bare", path.join(root, where)]),
    file(where, text) {
      mkdirSync(path.dirname(path.join(root, where)), { recursive: true });
      writeFileSync(path.join(root, where), text);
    },
  };
}

const namesIn = (root: string) => findRootRepositories(root).map(({ owner, name }) => `${owner}/${name}`);

test("only bare repositories by git's rules are found, whatever else is in the folder", () => {
  const { root, bare, file } = emptyRoot();
  for (const where of ["b/two.git", "a/one.git", "a/ü 日本.git", "a/-x.git.git"]) bare(where);
  file("a/no-repository.git/HEAD", "hello\n");
  file("a/file.git", "no folder");
  file("loose", "no owner");
  mkdirSync(path.join(root, "a/empty.git"));
  mkdirSync(path.join(root, "a/head-is-a-folder.git/HEAD"), { recursive: true });
  bare("a/plain-folder");
  bare("at-the-root.git");
  bare("group/deeper/nested.git");
  symlinkSync("/nowhere", path.join(root, "a/dangling.git"));
  symlinkSync("loop.git", path.join(root, "a/loop.git"));
  symlinkSync("../b/two.git", path.join(root, "a/linked.git"));
  expect(namesIn(root)).toEqual(["a/-x.git", "a/linked", "a/one", "a/ü 日本", "b/two"]);
});

test("a wiki beside its repository belongs to it, and a wiki alone is a repository", () => {
  const { root, bare } = emptyRoot();
  for (const name of ["api.git", "api.wiki.git", "lone.wiki.git"]) bare(`a/${name}`);
  expect(namesIn(root)).toEqual(["a/api", "a/lone.wiki"]);
});

test("a missing folder has no repositories", () => {
  expect(findRootRepositories(null)).toEqual([]);
  expect(findRootRepositories("/nowhere/at/all")).toEqual([]);
});

test("a taken name gets the first free number", () => {
  const taken = new Set(["api", "api-2"]);
  expect(["api", "web"].map((name) => freeName(name, (one) => taken.has(one)))).toEqual(["api-3", "web"]);
});
