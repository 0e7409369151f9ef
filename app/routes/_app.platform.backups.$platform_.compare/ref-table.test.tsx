import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Comparison, RefDifference } from "#core/comparisons/views.ts";
import { renderScreen } from "#tests/harness/render-screen.tsx";
import { branchCommand } from "./branch-command.ts";
import type { ComparePageData } from "./queries.server.ts";
import { RefTable } from "./ref-table.tsx";

const side = { snapshotId: "snp_1", takenAt: Date.UTC(2026, 10, 4, 13, 9), sizeBytes: 1 };
const ref = (name: string, more: Partial<RefDifference>): RefDifference => ({
  ...{ name: `refs/heads/${name}`, label: name, kind: "branch", isDefault: false, change: "changed" },
  ...{ before: "9f2c41a0", after: "e07d5b31", isRewritten: false, gained: null, lost: null, against: null },
  ...more,
});
const refs = [
  ref("ahead", {}),
  ref("new", { change: "added", before: null }),
  ref("rewritten", { isRewritten: true, gained: null, lost: null }),
  ref("deleted", { change: "removed", after: null }),
  ref("v1", { kind: "tag", change: "removed", after: null }),
  ref("pull/4/head", { kind: "request", change: "removed", after: null }),
];

function shown(isCloned: boolean): string[] {
  const tree = { obstacle: null, refs, refCount: refs.length };
  const view = { id: "git", label: "Files", kind: "files" as const, tree, isCloned };
  const comparison: Comparison = {
    ...{ before: side, after: side, views: [view], kinds: [], parts: {}, isCut: false },
  };
  const data: ComparePageData = {
    ...{ platform: "github", itemId: "itm_1", itemName: "carrier-sync", connectionId: "con_1", comparison },
    ...{ problem: null, record: null, part: null, tips: null, openTree: null, file: null, fileParts: {} },
    ...{ versions: [], ribbon: [], timeZone: "UTC", now: 0 },
  };
  const markup = renderScreen(<RefTable data={data} view={view} to={() => "/"} openRef={null} />);
  return [...markup.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, name]) => name ?? "");
}

test("a branch or tag that was deleted or rewritten can be restored, where its repository can be cloned", () => {
  expect(shown(true)).toEqual(["Restore rewritten", "Restore deleted", "Restore v1"]);
  expect(shown(false)).toEqual([]);
});

test("git brings a branch back with the commands, and replaces nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "branch-command-"));
  try {
    const git = (in_: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=n", "-c", "user.email=n@x", ...args], {
        cwd: join(folder, in_),
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    const odd = "fix/it's-$(id);&x";
    git("", "init", "-q", "--bare", "-b", "main", "origin.git");
    git("", "clone", "-q", "origin.git", "mine");
    git("mine", "commit", "-q", "--allow-empty", "-m", "one");
    git("mine", "push", "-q", "origin", "HEAD:refs/heads/main");
    git("", "clone", "-q", "--mirror", "origin.git", "version.git");
    git("version.git", "branch", "-f", odd, "main");
    const lost = git("version.git", "commit-tree", "-p", "main", "-m", "lost", "main^{tree}");
    git("version.git", "update-ref", "refs/heads/main", lost);
    git("version.git", "update-server-info");
    const run = (command: string) => {
      for (const line of command.split("\n"))
        execFileSync("sh", ["-c", line], { cwd: join(folder, "mine"), stdio: "ignore" });
    };
    const kept = git("origin.git", "rev-parse", "main");
    run(branchCommand("../version.git", ref("main", { before: lost, isRewritten: true })));
    run(branchCommand("../version.git", ref(odd, { before: kept, change: "removed", after: null })));
    const there = git("origin.git", "for-each-ref", "--format=%(objectname) %(refname:short)").split("\n");
    expect(there.sort()).toEqual([`${kept} ${odd}`, `${kept} main`, `${lost} main_restored`].sort());
    expect(() =>
      run(branchCommand("../gone.git", ref("b", { before: "1".repeat(40), change: "removed" }))),
    ).toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
