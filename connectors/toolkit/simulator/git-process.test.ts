import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { gitEnvironment } from "./git-backend.ts";
import { runGitProcess, startGitProcess } from "./git-process.ts";

const env = gitEnvironment();

function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(runGitProcess({ args: ["init", "-q"], env, cwd: folder }).status).toBe(0);
  return folder;
}

test("synchronous git takes input and returns output, errors and exit code", () => {
  const cwd = repository();
  const noise = Buffer.alloc(300_000, "holdfast\n");
  const stored = runGitProcess({ args: ["hash-object", "-w", "--stdin"], env, cwd }, noise);
  const name = stored.stdout.toString().trim();
  expect([stored.status, name]).toEqual([0, expect.stringMatching(/^[0-9a-f]{40}$/)]);
  expect(runGitProcess({ args: ["cat-file", "blob", name], env, cwd }).stdout.equals(noise)).toBe(true);
  const refused = runGitProcess({ args: ["cat-file", "blob", "missing"], env, cwd });
  expect(refused.status).toBe(128);
  expect([refused.stdout.toString(), refused.stderr.toString()]).toEqual([
    "",
    expect.stringMatching(/missing/),
  ]);
});

test("several git streams run in parallel, beside a synchronous call", async () => {
  const cwd = repository();
  const inputs = Array.from({ length: 5 }, (_, i) => Buffer.alloc(200_000 + i, `stream ${i}\n`));
  const outputs = inputs.map(async (input) => {
    const git = startGitProcess({ args: ["hash-object", "-w", "--stdin"], env, cwd });
    git.stdin.end(input);
    const [name, { code }] = await Promise.all([text(git.stdout), git.ended]);
    expect(code).toBe(0);
    expect(runGitProcess({ args: ["cat-file", "-t", name.trim()], env, cwd }).stdout.toString()).toBe(
      "blob\n",
    );
    const read = startGitProcess({ args: ["cat-file", "blob", name.trim()], env, cwd });
    read.stdin.end();
    return await buffer(read.stdout);
  });
  const read = await Promise.all(outputs);
  expect(read.map((output, i) => output.equals(inputs[i]!))).toEqual(inputs.map(() => true));
});

test("a failing git throws, and a killed one ends", async () => {
  const cwd = repository();
  const failing = startGitProcess({ args: ["rev-parse", "--verify", "nowhere"], env, cwd });
  failing.stdin.end();
  failing.stdout.resume();
  expect(await failing.ended).toEqual({
    code: 128,
    complaint: expect.stringMatching(/Needed a single revision/),
  });
  const waiting = startGitProcess({ args: ["hash-object", "--stdin"], env, cwd });
  waiting.stdout.resume();
  waiting.kill();
  expect(await waiting.ended).toMatchObject({ code: null });
});

test("a client that disconnects while git writes does not affect others", async () => {
  const cwd = repository();
  const noise = Buffer.alloc(4_000_000, "holdfast\n");
  const name = runGitProcess({ args: ["hash-object", "-w", "--stdin"], env, cwd }, noise)
    .stdout.toString()
    .trim();
  for (let i = 0; i < 20; i++) {
    const git = startGitProcess({ args: ["cat-file", "blob", name], env, cwd });
    await new Promise((resolve) => git.stdout.once("data", resolve));
    git.kill();
  }
  expect(runGitProcess({ args: ["cat-file", "-t", name], env, cwd }).stdout.toString()).toBe("blob\n");
});
