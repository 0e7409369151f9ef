import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Gitlab } from "@gitbeaker/rest";
import { expect, onTestFinished } from "vitest";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { misfitsOf } from "./expect-fits.ts";
import { type GitlabSimulatorOptions, startGitlabSimulator } from "./gitlab-simulator.ts";
import { findNamespace, findUser, namespaceId } from "./namespaces.ts";
import { createProject } from "./projects.ts";
import type { Project } from "./state.ts";
import { issueToken } from "./tokens.ts";

/**
 * Starts a simulated GitLab for one test and stops it afterwards. At the end, checks every response against published
 * types and recorded responses, if they are available.
 */
export async function gitlabForTest(options: GitlabSimulatorOptions = {}) {
  const answers: AnsweredExchange[] = [];
  const gitlab = await startGitlabSimulator({
    seed: "people",
    onAnswer: (exchange) => answers.push(exchange),
    ...options,
  });
  onTestFinished(async () => {
    await gitlab.stop();
    expect([...new Set(answers.flatMap(misfitsOf))]).toEqual([]);
  });
  const tokenOf = (login: string, scopes: string[] = ["api"]) =>
    issueToken(gitlab.world, { userId: findUser(gitlab.world, login)?.id ?? 0, scopes }).value;
  return {
    ...gitlab,
    answers,
    tokenOf,
    /** The client library that most scripts use. */
    client: (login = "nora-lindqvist", scopes?: string[]) =>
      new Gitlab({ host: gitlab.url, oauthToken: tokenOf(login, scopes) }),
    /** Creates a project under a full path. */
    project: (fullPath: string, more: Partial<Project> = {}) => {
      const name = fullPath.split("/").at(-1) ?? fullPath;
      const namespace = findNamespace(gitlab.world, fullPath.split("/").slice(0, -1).join("/"));
      if (!namespace) throw new Error(`no namespace for ${fullPath}`);
      const creatorId = findUser(gitlab.world, "nora-lindqvist")?.id ?? 0;
      return createProject(gitlab.world, {
        namespaceId: namespaceId(namespace),
        path: name,
        name,
        creatorId,
        ...more,
      });
    },
    /** Calls the API; does not follow redirects. */
    ask: (pathAndQuery: string, token: string | null, init: RequestInit = {}) =>
      fetch(`${gitlab.url}/api/v4${pathAndQuery}`, {
        redirect: "manual",
        ...init,
        headers: {
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          ...(typeof init.body === "string" ? { "Content-Type": "application/json" } : {}),
          ...(init.headers as Record<string, string> | undefined),
        },
      }),
    /** Sends a command to `/__sim`. */
    control: (pathname: string, body: unknown = {}) =>
      fetch(`${gitlab.url}/__sim${pathname}`, { method: "POST", body: JSON.stringify(body) }),
    /** Remote URL for plain git, with the token in it. */
    remote: (fullPath: string, token: string) =>
      `${gitlab.url.replace("://", `://oauth2:${token}@`)}/${fullPath}.git`,
  };
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
