import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { githubForTest, temporaryFolder } from "./test-world.ts";

async function order(github: { webUrl: string }, fault: FaultOrder): Promise<void> {
  const answer = await fetch(`${github.webUrl}/__sim/faults`, {
    method: "POST",
    body: JSON.stringify(fault),
  });
  expect(answer.status).toBe(204);
}

test("a lost response leaves the request's effect", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  await order(github, {
    match: { method: "POST", path: "^/api/user/repos" },
    action: { kind: "drop", handled: true },
  });
  const body = JSON.stringify({ name: "half-known" });
  await expect(github.ask("/user/repos", token, { method: "POST", body })).rejects.toThrow();
  expect((await github.ask("/repos/nora-lindqvist/half-known", token)).status).toBe(200);
});

test("rate limits have GitHub's formats", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  const shapes: [FaultOrder["action"], number, string | null, string | null][] = [
    [{ kind: "rate-limit", shape: "primary-403", resetAt: 1_900_000_000 }, 403, null, "1900000000"],
    [{ kind: "rate-limit", shape: "secondary-403", retryAfter: "60" }, 403, "60", null],
    [{ kind: "rate-limit", shape: "secondary-403" }, 403, null, null],
    [
      { kind: "rate-limit", shape: "secondary-429", retryAfter: "Sat, 21 Nov 2026 12:00:00 GMT" },
      429,
      "Sat, 21 Nov 2026 12:00:00 GMT",
      null,
    ],
  ];
  for (const [action, status, retryAfter, reset] of shapes) {
    await order(github, { match: {}, action });
    const answer = await github.ask("/user", token);
    const { headers } = answer;
    expect([answer.status, headers.get("retry-after"), headers.get("x-ratelimit-reset")]).toEqual([
      status,
      retryAfter,
      reset,
    ]);
    expect(((await answer.json()) as { message: string }).message).toMatch(/rate limit/);
  }
});

test("an invalid fault is refused when it is set", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  for (const fault of [
    { match: {}, action: { kind: "rate-limit", shape: "tertiary" } },
    { match: { path: "(" }, action: { kind: "drop" } },
    { match: {}, action: { kind: "nothing" } },
  ]) {
    const answer = await fetch(`${github.webUrl}/__sim/faults`, {
      method: "POST",
      body: JSON.stringify(fault),
    });
    expect([fault.action, answer.status]).toEqual([fault.action, 400]);
  }
  expect((await github.ask("/user", token)).status).toBe(200);
});

test("git detects every fault in its stream", async () => {
  const github = await githubForTest();
  const remote = github.remote("meridian-freight/depot", github.tokenOf("nora-lindqvist"));
  await github.ask("/orgs/meridian-freight/repos", github.tokenOf("nora-lindqvist"), {
    method: "POST",
    body: '{"name":"depot"}',
  });
  await github.control("/github/repos/meridian-freight/depot/commits", { count: 30 });
  const folder = temporaryFolder();
  const clone = async (name: string) => {
    mkdirSync(path.join(folder, name));
    return git(folder, "clone", "--quiet", "--mirror", remote, name);
  };
  // `ls-refs` is the first of a clone's two POSTs; the fetch is the second.
  const fetchOnly = { match: { method: "POST", path: "git-upload-pack" }, skip: 1 };
  await order(github, {
    ...fetchOnly,
    action: { kind: "band3", afterBytes: 0, message: "upload-pack: out of memory" },
  });
  expect((await clone("band3")).stderr).toContain("remote: upload-pack: out of memory");
  await order(github, { ...fetchOnly, action: { kind: "wrong-trailer" } });
  expect((await clone("trailer")).stderr).toContain("pack is corrupted (SHA1 mismatch)");
  await order(github, { ...fetchOnly, action: { kind: "object-count" } });
  expect((await clone("count")).stderr).toContain("fatal:");
  await order(github, { ...fetchOnly, action: { kind: "drip", bytes: 400, everyMs: 1 } });
  expect((await clone("drip")).code).toBe(0);
  await order(github, { ...fetchOnly, action: { kind: "cut", afterBytes: 2_000 } });
  expect((await clone("cut")).stderr).toMatch(/early EOF|unexpected disconnect|RPC failed|transfer closed/);
  await order(github, {
    match: { path: "info/refs" },
    action: { kind: "err-line", message: "repository is being moved" },
  });
  expect((await clone("err")).stderr).toContain("repository is being moved");
  expect((await clone("whole")).code).toBe(0);
});
