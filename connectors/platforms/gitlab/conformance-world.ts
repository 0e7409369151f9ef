import { addCommits, addFiles } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { allowInBrowser } from "#tests/conformance/allow-in-browser.ts";
import type { ConformanceWorld, Reference } from "#tests/conformance/connector/suite.ts";
import { codeDirectory, wikiDirectory } from "./simulator/projects.ts";
import { changeFiles } from "./simulator/snippets.ts";
import { nextId, type Project, type Snippet, timestamp } from "./simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld } from "./test-world.ts";

/** Other tests cover the limits per minute. */
const GENEROUS = { issueLimit: 1e6, noteLimit: 1e6, rateLimit: 1e6, failedAuthLimit: 1e6 };

/** Nora's account with a project that has entries of every kind, or with snippets. */
export async function openGitlabConformance(kind: "project" | "snippet"): Promise<ConformanceWorld> {
  const world = await openGitlabWorld(kind, GENEROUS);
  const own = kind === "project" ? await projects(world) : snippets(world);
  return {
    ...world,
    faults: world.simulator.faults,
    limitShapes: ["throttle", "application"],
    consent: (url) => allowInBrowser(url, world.accountName),
    ...own,
  };
}

type Own = Pick<ConformanceWorld, "changeItem" | "makeItem" | "titledKinds">;

/** Fills the project with issues, merge requests and the rest. @returns the edits that the suite makes later */
async function projects(world: GitlabTestWorld): Promise<Own> {
  const find = ({ externalId }: Reference): Project => {
    const found = world.simulator.world.state.projects.find(({ id }) => String(id) === externalId);
    if (found === undefined) throw new Error(`There is no project ${externalId}`);
    return found;
  };
  const project = find(world.item);
  const at = `/projects/${project.id}`;
  const label = await world.ask<{ id: number }>("POST", `${at}/labels`, {
    name: "crane 🏗",
    color: "#d9534f",
  });
  await world.ask("POST", `${at}/milestones`, { title: "Spring" });
  for (const [index, title] of ["The crane squeaks", "Berth 4 is too short", "Nothing"].entries()) {
    const created_at = `2025-0${index + 1}-02T10:00:00.000Z`;
    await world.ask("POST", `${at}/issues`, { title, created_at, labels: "crane 🏗" });
    await world.ask("POST", `${at}/issues/${index + 1}/notes`, { body: "Seen", created_at });
  }
  await world.ask("PUT", `${at}/issues/2`, { state_event: "close" });
  runGit(codeDirectory(world.simulator.world, project), ["branch", "hotfix", "release/1.x~1"]);
  for (const [source_branch, title] of [
    ["hotfix", "Mend the winch"],
    ["release/1.x", "Bring it back"],
  ]) {
    const order = { source_branch, target_branch: "main", title };
    const { iid } = await world.ask<{ iid: number }>("POST", `${at}/merge_requests`, order);
    await world.ask("POST", `${at}/merge_requests/${iid}/notes`, { body: "Looks good" });
  }
  await world.ask("POST", `${at}/releases`, { tag_name: "v1.0", name: "One", description: "The first" });
  const board = await world.ask<{ id: number }>("POST", `${at}/boards`, { name: "Yard" });
  await world.ask("POST", `${at}/boards/${board.id}/lists`, { label_id: label.id });
  await world.ask("POST", `${at}/variables`, { key: "DEPLOY_KEY", value: "s3cr3t-value" });
  return {
    async changeItem(item) {
      await addCommits(codeDirectory(world.simulator.world, find(item)), { count: 1 });
      await world.ask("POST", `${at}/issues`, { title: `Noticed at ${timestamp()}` });
      await world.ask("POST", `${at}/issues/2/notes`, { body: "Seen again" });
      await world.ask("PUT", `${at}/issues/1`, { title: `Edited at ${Date.now()}` });
    },
    titledKinds: ["label", "milestone", "issue", "release"],
    async makeItem({ files, branches, tags, titles, pages }) {
      const made = await world.makeProject(`names-${nextId(world.simulator.world.state)}`);
      const folder = codeDirectory(world.simulator.world, made);
      const contents = (names: readonly string[]) => names.map((path) => ({ path, base64: btoa("content") }));
      await addFiles(folder, { files: contents(files) });
      await addFiles(wikiDirectory(world.simulator.world, made), { files: contents(pages) });
      for (const name of branches) runGit(folder, ["update-ref", `refs/heads/${name}`, "main~1"]);
      for (const name of tags) runGit(folder, ["update-ref", `refs/tags/${name}`, "main~2"]);
      const there = `/projects/${made.id}`;
      for (const title of titles) {
        await world.ask("POST", `${there}/labels`, { name: title.replaceAll(",", ";"), color: "#d9534f" });
        await world.ask("POST", `${there}/milestones`, { title });
        await world.ask("POST", `${there}/issues`, { title: title.slice(0, 255) });
      }
      for (const tag of tags.slice(0, 2))
        await world.ask("POST", `${there}/releases`, { tag_name: tag, name: titles[0], description: tag });
      return world.reference(made);
    },
  };
}

/** Edits of the snippet, and creation of others. */
function snippets(world: GitlabTestWorld): Own {
  const snippet: Snippet = world.snippetTitled("deploy hook");
  return {
    async changeItem() {
      const content = `echo ${Date.now()}\n`;
      await changeFiles(world.simulator.world, snippet, [{ path: "deploy.sh", content, action: "update" }]);
      snippet.updatedAt = timestamp();
      await world.ask("PUT", `/snippets/${snippet.id}`, { description: `Edited at ${Date.now()}` });
    },
    titledKinds: [],
    async makeItem({ files, titles }) {
      const made = await world.makeSnippet(titles[0] ?? "");
      const changes = files
        .slice(0, 8)
        .map((path) => ({ path, content: "content", action: "create" as const }));
      await changeFiles(world.simulator.world, made, changes);
      return world.reference(made);
    },
  };
}
