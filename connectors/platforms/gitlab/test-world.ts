import { filledOnce } from "#connectors/toolkit/simulator/filled-once.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { configSchema } from "./authorize.ts";
import { snippetKey } from "./read/snippet-record.ts";
import {
  DEFAULT_GITLAB_SETTINGS,
  type GitlabSimulator,
  startGitlabSimulator,
} from "./simulator/gitlab-simulator.ts";
import { findNamespace, findUser, type Namespace, namespaceId } from "./simulator/namespaces.ts";
import {
  codeDirectory,
  createProject,
  deleteProject,
  fullPath,
  wikiDirectory,
} from "./simulator/projects.ts";
import {
  changeFiles,
  createSnippet,
  deleteSnippet,
  snippetDirectory,
  snippetPath,
} from "./simulator/snippets.ts";
import type { GitlabSettings, GitlabWorld, Project, Snippet } from "./simulator/state.ts";
import { issueToken, revokeToken } from "./simulator/tokens.ts";

const NORA = ["-c", "user.name=Nora Lindqvist", "-c", "user.email=nora@meridian.example"];
const LOGIN = "nora-lindqvist";

/** Nora's account at a simulated GitLab, with handles for tests. */
export type GitlabTestWorld = Omit<
  ConformanceWorld,
  "changeItem" | "makeItem" | "titledKinds" | "consent" | "faults" | "limitShapes"
> & {
  simulator: GitlabSimulator;
  /** Creates a project of Nora's with real commits, tags, a wiki and a merge request ref. */
  makeProject(name: string, more?: Partial<Project>): Promise<Project>;
  makeSnippet(title: string, more?: Partial<Snippet>): Promise<Snippet>;
  reference(thing: Project | Snippet): { externalId: string; fullName: string };
  projectNamed(name: string): Project;
  snippetTitled(title: string): Snippet;
  /** Calls the API as Nora. */
  ask<T>(method: string, path: string, body?: object): Promise<T>;
};

/** Opens a simulated GitLab in which Nora owns a few projects and snippets. */
export async function openGitlabWorld(
  kind: "project" | "snippet" = "project",
  settings: Partial<GitlabSettings> = {},
): Promise<GitlabTestWorld> {
  const simulator = await startGitlabSimulator({ seed: "people", settings });
  const { world } = simulator;
  const noraId = findUser(world, LOGIN)?.id ?? 0;
  const ownNamespace = findNamespace(world, LOGIN);
  if (ownNamespace === null) throw new Error("Nora has no namespace");
  const issue = () => issueToken(world, { userId: noraId, scopes: ["api"] }).value;
  const scriptToken = issue();

  const { makeProject, makeSnippet } = makersOf(world, { creatorId: noraId, namespace: ownNamespace });
  const reference: GitlabTestWorld["reference"] = (thing) =>
    "title" in thing
      ? { externalId: keyOf(thing), fullName: snippetPath(world, thing) }
      : { externalId: String(thing.id), fullName: fullPath(world, thing) };

  const projects = [];
  for (const name of ["billing-service", "old-reports", "tariffs"]) projects.push(await makeProject(name));
  const snippets = [];
  for (const title of ["deploy hook", "old query", "tariff lookup"]) snippets.push(await makeSnippet(title));
  const [item, doomed] = kind === "project" ? projects : snippets;
  if (item === undefined || doomed === undefined) throw new Error("nothing was made");

  return {
    simulator,
    makeProject,
    makeSnippet,
    reference,
    projectNamed: (name) => {
      const found = world.state.projects.find((project) => project.name === name && !project.isDeleted);
      if (found === undefined) throw new Error(`There is no project ${name}`);
      return found;
    },
    snippetTitled: (title) => {
      const found = world.state.snippets.find((snippet) => snippet.title === title);
      if (found === undefined) throw new Error(`There is no snippet ${title}`);
      return found;
    },
    async ask<T>(method: string, path: string, body?: object) {
      const response = await fetch(`${simulator.url}/api/v4${path}`, {
        method,
        headers: { authorization: `Bearer ${scriptToken}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (response.status === 204 ? null : await response.json()) as T;
    },
    config: configSchema.parse({
      GITLAB_URL: simulator.url,
      GITLAB_CLIENT_ID: DEFAULT_GITLAB_SETTINGS.clientId,
      GITLAB_CLIENT_SECRET: DEFAULT_GITLAB_SETTINGS.clientSecret,
    }),
    accountName: LOGIN,
    kind,
    issueToken: async () => issue(),
    item: reference(item),
    doomed: reference(doomed),
    ...itemsOf(world, kind),
    revoke: async (token) => void revokeToken(world, token),
    exhaustQuota: async (resetAt) =>
      simulator.faults.add({
        match: { path: "^/api/" },
        action: { kind: "rate-limit", shape: "throttle", resetAt: Math.floor(resetAt / 1000) },
      }),
    stop: () => simulator.stop(),
  };
}

/** Creates projects and snippets of one person. */
function makersOf(
  world: GitlabWorld,
  { creatorId, namespace }: { creatorId: number; namespace: Namespace },
): Pick<GitlabTestWorld, "makeProject" | "makeSnippet"> {
  const makeProject: GitlabTestWorld["makeProject"] = async (name, more = {}) => {
    const project = createProject(world, {
      namespaceId: namespaceId(namespace),
      path: name,
      name,
      creatorId,
      description: `The ${name} of the company`,
      topics: ["freight", "billing"],
      ...more,
    });
    await fillProject(codeDirectory(world, project));
    await fillWiki(wikiDirectory(world, project));
    return project;
  };
  const makeSnippet: GitlabTestWorld["makeSnippet"] = async (title, more = {}) => {
    const files = [
      { path: "deploy.sh", content: "#!/bin/sh\necho deploy\n" },
      { path: "notes/read-me.md", content: "# Notes\n" },
    ];
    const order = { projectId: null, authorId: creatorId, title, description: `About ${title}`, ...more };
    const snippet = await createSnippet(world, order, files);
    const change = {
      path: "deploy.sh",
      content: "#!/bin/sh\necho deploy again\n",
      action: "update",
    } as const;
    await changeFiles(world, snippet, [change]);
    return snippet;
  };
  return { makeProject, makeSnippet };
}

/** Reads and deletes items by their ids. */
function itemsOf(
  world: GitlabWorld,
  kind: "project" | "snippet",
): Pick<GitlabTestWorld, "fingerprint" | "deleteItem"> {
  const projectOf = (externalId: string) => world.state.projects.find(({ id }) => String(id) === externalId);
  const snippetOf = (externalId: string) =>
    world.state.snippets.find((snippet) => keyOf(snippet) === externalId);
  return {
    fingerprint: async ({ externalId }) => {
      const project = projectOf(externalId);
      if (kind === "project" && project !== undefined) {
        return [JSON.stringify(project), refsOf(codeDirectory(world, project))].join("\n");
      }
      const snippet = snippetOf(externalId);
      if (snippet === undefined) throw new Error(`There is no ${kind} ${externalId}`);
      return [JSON.stringify(snippet), refsOf(snippetDirectory(world, snippet))].join("\n");
    },
    deleteItem: async ({ externalId }) => {
      const project = projectOf(externalId);
      const snippet = snippetOf(externalId);
      if (kind === "project" && project !== undefined) deleteProject(world, project);
      else if (snippet !== undefined) deleteSnippet(world, snippet);
    },
  };
}

function keyOf({ id, projectId }: Snippet): string {
  return snippetKey({ id: String(id), project_id: projectId === null ? null : String(projectId) });
}

/** Branches, an annotated tag, a lightweight tag, and a merge request's head that is on no branch. */
const fillProject = filledOnce(async (folder) => {
  await addCommits(folder, { count: 6 });
  runGit(folder, ["branch", "release/1.x", "main~2"]);
  await addCommits(folder, { count: 2, branch: "release/1.x" });
  runGit(folder, [...NORA, "tag", "-a", "v1.0", "-m", "First release", "main~3"]);
  runGit(folder, ["tag", "v1.1", "main"]);
  runGit(folder, ["branch", "from-a-fork", "main~1"]);
  await addCommits(folder, { count: 1, branch: "from-a-fork" });
  runGit(folder, ["update-ref", "refs/merge-requests/7/head", "refs/heads/from-a-fork"]);
  runGit(folder, ["branch", "-D", "from-a-fork"]);
});

const fillWiki = filledOnce(async (folder) => {
  initBare(folder);
  await addCommits(folder, { count: 2 });
});

/** Names and objects of every ref of a repository on disk. */
export function refsOf(folder: string): string {
  return runGit(folder, ["for-each-ref", "--format=%(refname) %(objectname)"]);
}
