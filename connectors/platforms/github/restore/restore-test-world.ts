import { Octokit } from "octokit";
import { onTestFinished } from "vitest";
import type { RestoreEvent, Session } from "#connectors/contract/platform-connector.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { TestSession } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import type { GithubSettings, Repository } from "../simulator/state.ts";
import { openGithubWorld } from "../test-world.ts";

/**
 * Opens a simulated GitHub for restore tests and stops it afterwards. It has no content limits, and its import, if
 * offered, is fast.
 */
export async function openWorld(settings: Partial<GithubSettings> = {}) {
  const world = await openGithubWorld({
    contentPerMinute: 100_000,
    contentPerHour: 100_000,
    importMs: 5,
    ...settings,
  });
  onTestFinished(() => world.stop());
  const octokit = new Octokit({
    auth: world.token,
    baseUrl: world.simulator.apiUrl,
    throttle: { enabled: false },
    retry: { enabled: false },
  });
  const session = (fetched: Session["fetch"] = (url, init) => fetch(url, init)): TestSession => ({
    ...world.session({ fetch: fetched }),
    // Long enough for an import, short enough for a test.
    sleep: (ms) => new Promise((done) => setTimeout(done, Math.min(ms, 15))),
  });
  return { world, octokit, session };
}

/** Takes a snapshot of a repository. */
export async function versionOf(
  { world, session }: Awaited<ReturnType<typeof openWorld>>,
  repository: Repository,
) {
  const by = session();
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  return await takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }));
}

/** The visible records of a repository: labels, milestones, issues, comments and releases. */
export async function talkOf(octokit: Octokit, owner: string, repo: string) {
  const at = { owner, repo, per_page: 100 };
  const labels = await octokit.paginate(octokit.rest.issues.listLabelsForRepo, at);
  const milestones = await octokit.paginate(octokit.rest.issues.listMilestones, { ...at, state: "all" });
  const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
    ...at,
    state: "all",
    sort: "created",
    direction: "asc",
  });
  const comments = await octokit.paginate(octokit.rest.issues.listCommentsForRepo, at);
  const releases = await octokit.paginate(octokit.rest.repos.listReleases, at);
  issues.sort((a, b) => a.number - b.number);
  return { labels, milestones, issues, comments, releases };
}

/** The lines of the report. */
export const lines = (events: RestoreEvent[]) =>
  events.filter((event) => event.type !== "progress" && event.type !== "checkpoint");
