import { readFileSync } from "node:fs";
import path from "node:path";
import { Octokit } from "octokit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import { generateRecords } from "./simulator/generate.ts";
import { DEFAULT_GITHUB_SETTINGS } from "./simulator/github-simulator.ts";
import { seedProject, seedSettings } from "./simulator/seed-extras.ts";
import type { Permission, Repository } from "./simulator/state.ts";
import { type GithubTestWorld, openGithubWorld } from "./test-world.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
let world: GithubTestWorld;
let repository: Repository;
beforeAll(async () => {
  world = await openGithubWorld({ contentPerMinute: 100_000, contentPerHour: 100_000 });
  repository = await world.makeRepository("granted", { hasDiscussions: true });
  generateRecords(world.simulator.world, repository, {
    ...{ issues: 2, pulls: 1, commentsPerIssue: 1, eventsPerIssue: 1, reviewsPerPull: 1, discussions: 1 },
    ...{ releases: 1, assetsPerRelease: 1, from: Date.UTC(2025, 0, 6), seed: 5 },
  });
  seedProject(world.simulator.world, repository);
  seedSettings(world.simulator.world, repository);
});
afterAll(() => world.stop());

const session = () => world.session();

async function backUp(
  item = { kind: "repository", ...world.reference(repository) },
): Promise<MemorySnapshot> {
  const by = session();
  const current = await connector.getItem(by, item);
  return await takeSnapshot(connector.backUp(by, { item: current, previous: null, cursor: null }));
}

/** Revokes permissions while `act` runs. */
async function without<T>(names: readonly Permission[], act: () => Promise<T>): Promise<T> {
  const { settings } = world.simulator.world;
  const all = settings.permissions;
  settings.permissions = Object.fromEntries(
    Object.entries(all).filter(([name]) => !names.includes(name as Permission)),
  );
  try {
    return await act();
  } finally {
    settings.permissions = all;
  }
}

const settingOf = async (version: MemorySnapshot, name: string) =>
  (await version.readRecord(`settings/${name}.json`)) as { [key: string]: unknown };

test("secrets and variables that may not be read are reported individually and never recorded as empty", async () => {
  const whole = await backUp();
  expect(whole.skipped).toEqual([]);
  expect(await settingOf(whole, "secret-names")).toMatchObject({ dependabot: [] });
  const version = await without(["dependabot_secrets", "environments"], () => backUp());
  expect(version.skipped.map(({ path: where, kind }) => [where, kind])).toEqual([
    ["settings/secret-names.json#dependabot", "setting"],
    ["settings/environments.json#production/secrets", "setting"],
    ["settings/environments.json#production/variables", "setting"],
  ]);
  const [dependabot, secrets] = version.skipped.map(({ reason }) => reason);
  expect(dependabot).toContain("the secrets of Dependabot");
  expect(secrets).toContain("the secrets of the environment production");
  const { actions } = await settingOf(whole, "secret-names");
  expect(await settingOf(version, "secret-names")).toEqual({ actions, dependabot: null });
  expect(await version.readRecord("settings/environments.json")).toMatchObject([
    { name: "production", secretNames: null, variableNames: null },
  ]);
  const blind = await without(["secrets"], () => backUp());
  expect(blind.skipped.map(({ path: where }) => where)).toEqual(["settings/secret-names.json#actions"]);
});

/** Permissions by the names in GitHub's forms. */
const NAMES: Readonly<Record<string, Permission | "workflows">> = {
  ...{ Contents: "contents", Administration: "administration", Issues: "issues", Metadata: "metadata" },
  ...{ "Pull requests": "pull_requests", Workflows: "workflows", Actions: "actions", Gists: "gists" },
  ...{ Discussions: "discussions", Webhooks: "repository_hooks", Secrets: "secrets", Members: "members" },
  ...{ "Dependabot secrets": "dependabot_secrets", Variables: "actions_variables" },
  ...{ Environments: "environments", Projects: "organization_projects" },
};

/** The permissions that a document lists, by API name, as `read` or `write`. */
function grantedBy(text: string): Record<string, string> {
  const granted: Record<string, string> = {};
  let waiting: string[] = [];
  // Names are in italics. The level follows a list of names, in the last name or in the next table cell.
  for (const [, name, level] of text
    .replace(/\s+/g, " ")
    .matchAll(/_([A-Z][A-Za-z ]+?)(?::|_|(?=_))|\b(read and write|read)(?![a-z])/g)) {
    if (name !== undefined) waiting.push(name);
    else if (waiting.length > 0) {
      for (const each of waiting)
        granted[NAMES[each] ?? `unknown: ${each}`] = level === "read" ? "read" : "write";
      waiting = [];
    }
  }
  return granted;
}

test.each([
  ["README.md", /Register a GitHub App[\s\S]*?Without a permission/],
  ["connectors/platforms/github/README.md", /## Permissions of the App[\s\S]*?Each missing permission/],
])("%s lists exactly the permissions that the connector's calls need", async (document, part) => {
  const { needed } = world.simulator.world;
  needed.clear();
  const by = session();
  const version = await backUp();
  const target = asNew(`back-${document.length}`);
  await runRestore(connector.restore(by, version, target, memoryJournal()));
  const octokit = new Octokit({
    auth: world.token,
    baseUrl: world.simulator.apiUrl,
    throttle: { enabled: false },
  });
  const { data: gist } = await octokit.rest.gists.create({ files: { "a.md": { content: "# A" } } });
  const gistVersion = await backUp({ kind: "gist", externalId: gist.id ?? "", fullName: gist.id ?? "" });
  await runRestore(connector.restore(session(), gistVersion, asNew("N/A"), memoryJournal()));

  const text = part.exec(readFileSync(path.join(ROOT, document), "utf8"))?.[0] ?? "";
  const granted = grantedBy(text);
  const lacking = [...needed].filter((need) => {
    const [name = "", level] = need.split(":");
    return granted[name] !== "write" && granted[name] !== level;
  });
  expect(lacking).toEqual([]);
  // Pushes and member lists do not record the permission they need. Every other requested permission must be used.
  const unseen = ["contents", "workflows", "metadata", "members", "administration"];
  const used = new Set([...needed].map((need) => need.split(":")[0] ?? ""));
  expect(Object.keys(granted).filter((name) => !used.has(name) && !unseen.includes(name))).toEqual([]);
  expect(Object.keys(granted).filter((name) => name.startsWith("unknown"))).toEqual([]);
  expect(Object.keys(DEFAULT_GITHUB_SETTINGS.permissions).sort()).toEqual(
    Object.keys(granted)
      .filter((name) => name !== "workflows")
      .sort(),
  );
});
