import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./tools.ts";

const script = join(ROOT, "workers/commands/demand-node.mjs");
const { nodeComplaint } = (await import(script)) as { nodeComplaint: (version: string) => string | null };

test("Node 22 and later run everything; an older one names the one install script to allow", () => {
  for (const version of ["22.0.0", "22.20.0", "24.9.0", "26.1.0"]) expect(nodeComplaint(version)).toBeNull();
  for (const version of ["18.20.8", "20.20.2"]) {
    expect(nodeComplaint(version)).toMatch(
      /^Holdfast needs Node 22 or later, and this is Node .*npm rebuild node/,
    );
    expect(nodeComplaint(version)).not.toContain("\n");
  }
});

test("every command of the package checks its Node before it loads anything else", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const own = Object.entries(scripts).filter(([, line]) => line.includes("--import tsx"));
  expect(own.length).toBeGreaterThan(8);
  for (const [name, line] of own)
    expect([name, line]).toEqual([
      name,
      expect.stringContaining("node --import ./workers/commands/demand-node.mjs --import tsx "),
    ]);
  expect(
    execFileSync(process.execPath, ["--import", script, "-e", "console.log('runs')"], { encoding: "utf8" }),
  ).toBe("runs\n");
});
