import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { AnsweredExchange, GithubSimulatorOptions } from "./github-simulator.ts";
import { startHeldGithub } from "./held-world.ts";
import { issueUserToken } from "./tokens.ts";

/** Starts a simulated GitHub for one test and stops it afterwards, which tells whether it kept the contract. */
export async function githubForTest(options: GithubSimulatorOptions = {}) {
  const answers: AnsweredExchange[] = [];
  const github = await startHeldGithub({
    seed: "people",
    onAnswer: (exchange) => answers.push(exchange),
    ...options,
  });
  onTestFinished(() => github.stop());
  const tokenOf = (login: string, scopes: string[] | null = null) =>
    issueUserToken(github.world, { login, scopes }).value;
  return {
    ...github,
    answers,
    tokenOf,
    /** Asks the API as a user; redirects are left alone. */
    ask: (pathAndQuery: string, token: string | null, init: RequestInit = {}) =>
      fetch(`${github.apiUrl}${pathAndQuery}`, {
        redirect: "manual",
        ...init,
        headers: {
          "User-Agent": "holdfast-test",
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          ...(init.headers as Record<string, string> | undefined),
        },
      }),
    /** Sends an order to `/__sim`. */
    control: (pathname: string, body: unknown = {}) =>
      fetch(`${github.webUrl}/__sim${pathname}`, { method: "POST", body: JSON.stringify(body) }),
    /** Address for plain git, with the token in it. */
    remote: (fullName: string, token: string) =>
      `${github.webUrl.replace("://", `://x-access-token:${token}@`)}/${fullName}.git`,
  };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
