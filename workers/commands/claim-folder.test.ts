import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { claimFolder } from "./claim-folder.ts";

function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "claim-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("the first process claims the folder; the next one is told which process has it", async () => {
  const folder = freshFolder();
  expect(await claimFolder(folder, "http://localhost:8787")).toBeNull();
  expect(await claimFolder(folder, "http://localhost:9000")).toBe("http://localhost:8787");
});

test("a killed process loses its claim", async () => {
  const folder = freshFolder();
  const source = `import { claimFolder } from ${JSON.stringify(path.resolve(import.meta.dirname, "claim-folder.ts"))};
    console.log(await claimFolder(${JSON.stringify(folder)}, "the killed one")); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", source]);
  const [said] = await once(holder.stdout, "data");
  expect(String(said).trim()).toBe("null");
  expect(await claimFolder(folder, "us")).toBe("the killed one");
  holder.kill("SIGKILL");
  await once(holder, "exit");
  expect(await claimFolder(folder, "us")).toBeNull();
});
