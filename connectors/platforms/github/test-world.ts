import { filledOnce } from "#connectors/toolkit/simulator/filled-once.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { configSchema } from "./authorize.ts";
import { DEFAULT_GITHUB_SETTINGS, type GithubSimulator } from "./simulator/github-simulator.ts";
import { startHeldGithub } from "./simulator/held-world.ts";
import { createRepository, deleteRepository, fullName, gitDirectory } from "./simulator/repositories.ts";
import type { GithubSettings, Repository } from "./simulator/state.ts";
import { issueUserToken, revokeToken } from "./simulator/tokens.ts";

/** Nora's account at a simulated GitHub, with helpers for tests. */
export type GithubTestWorld = Omit<
  ConformanceWorld,
  "changeItem" | "makeItem" | "titledKinds" | "consent" | "faults" | "limitShapes"
> & {
  simulator: GithubSimulator;
  /** Nora's token, with all permissions. */
  token: string;
  /** A session with her token. */
  session(more?: Partial<Parameters<typeof testSession>[0]>): TestSession;
  /** Creates a repository owned by Nora, with real commits, tags, notes and a pull request. */
  makeRepository(name: string, more?: Partial<Repository>): Promise<Repository>;
  directory(repository: Repository): string;
  reference(repository: Repository): { externalId: string; fullName: string };
};

const NORA = ["-c", "user.name=Nora Lindqvist", "-c", "user.email=nora@meridian.example"];
const LOGIN = "nora-lindqvist";

/** Opens a simulated GitHub in which Nora owns a few repositories. */
export async function openGithubWorld(settings: Partial<GithubSettings> = {}): Promise<GithubTestWorld> {
  const simulator = await startHeldGithub({ seed: "people", settings });
  const { world } = simulator;
  const directory = (repository: Repository) => gitDirectory(world, repository);
  const reference = (repository: Repository) => ({
    externalId: String(repository.id),
    fullName: fullName(repository),
  });
  const find = (externalId: string): Repository => {
    const found = world.state.repositories.find((repository) => String(repository.id) === externalId);
    if (found === undefined) throw new Error(`There is no repository ${externalId}`);
    return found;
  };
  const makeRepository: GithubTestWorld["makeRepository"] = async (name, more = {}) => {
    const repository = createRepository(world, {
      owner: LOGIN,
      name,
      description: `The ${name} of the company`,
      homepage: "https://meridian.example",
      visibility: "private",
      topics: ["freight", "billing"],
      ...more,
    });
    await fillRepository(directory(repository));
    return repository;
  };
  const service = await makeRepository("billing-service");
  const doomed = await makeRepository("old-reports");
  await makeRepository("tariffs");
  const config = configSchema.parse({
    GITHUB_API_URL: simulator.apiUrl,
    GITHUB_WEB_URL: simulator.webUrl,
    GITHUB_CLIENT_ID: DEFAULT_GITHUB_SETTINGS.clientId,
    GITHUB_CLIENT_SECRET: DEFAULT_GITHUB_SETTINGS.clientSecret,
    GITHUB_APP_SLUG: DEFAULT_GITHUB_SETTINGS.appSlug,
  });
  const issueToken = async () => issueUserToken(world, { login: LOGIN, scopes: null }).value;
  const token = await issueToken();
  return {
    simulator,
    token,
    session: (more = {}) => testSession({ config, token, accountName: LOGIN, ...more }),
    makeRepository,
    directory,
    reference,
    config,
    accountName: LOGIN,
    kind: "repository",
    issueToken,
    item: reference(service),
    doomed: reference(doomed),
    fingerprint: async ({ externalId }) => {
      const repository = find(externalId);
      return `${JSON.stringify(repository)}\n${refsOf(directory(repository))}`;
    },
    deleteItem: async ({ externalId }) => deleteRepository(world, find(externalId)),
    revoke: async (token) => void revokeToken(world, token),
    exhaustQuota: async (resetAt) =>
      simulator.faults.add({
        match: { path: "^/api/" },
        action: { kind: "rate-limit", shape: "primary", resetAt: Math.floor(resetAt / 1000) },
      }),
    stop: () => simulator.stop(),
  };
}

/** Creates branches, an annotated tag, a lightweight tag, a tag on a blob, notes and the head of a pull request. */
const fillRepository = filledOnce(async (folder) => {
  await addCommits(folder, { count: 6 });
  runGit(folder, ["branch", "release/1.x", "main~2"]);
  await addCommits(folder, { count: 2, branch: "release/1.x" });
  runGit(folder, [...NORA, "tag", "-a", "v1.0", "-m", "First release", "main~3"]);
  runGit(folder, ["tag", "v1.1", "main"]);
  runGit(folder, ["tag", "readme", "main:changes/1.md"]);
  runGit(folder, [...NORA, "notes", "add", "-m", "Reviewed", "main"]);
  runGit(folder, ["branch", "from-a-fork", "main~1"]);
  await addCommits(folder, { count: 1, branch: "from-a-fork" });
  runGit(folder, ["update-ref", "refs/pull/7/head", "refs/heads/from-a-fork"]);
  runGit(folder, ["update-ref", "refs/pull/7/merge", "refs/heads/main"]);
  runGit(folder, ["branch", "-D", "from-a-fork"]);
});

/** Names and objects of every ref of a repository on disk. */
export function refsOf(folder: string): string {
  return runGit(folder, ["for-each-ref", "--format=%(refname) %(objectname)"]);
}
