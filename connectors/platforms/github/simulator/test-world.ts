import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import type { GithubSimulatorOptions } from "./github-simulator.ts";
import { startHeldGithub } from "./held-world.ts";
import { issueUserToken } from "./tokens.ts";

/** Starts a simulated GitHub for one test. It stops after the test, and reports any breach of the contract. */
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
    /** Sends an API request as a user, without following redirects. */
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
    /** Sends a control request to `/__sim`. */
    control: (pathname: string, body: unknown = {}) =>
      fetch(`${github.webUrl}/__sim${pathname}`, { method: "POST", body: JSON.stringify(body) }),
    /** URL for plain git, with the token in it. */
    remote: (fullName: string, token: string) =>
      `${github.webUrl.replace("://", `://x-access-token:${token}@`)}/${fullName}.git`,
  };
}

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
