import { Octokit } from "octokit";
import { addCommits, addFiles } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { allowInBrowser } from "#tests/conformance/allow-in-browser.ts";
import type { ConformanceWorld, Reference } from "#tests/conformance/connector/suite.ts";
import { generateRecords } from "./simulator/generate.ts";
import { commitGist, createGist, deleteGist, gistDirectory } from "./simulator/gists.ts";
import { seedDiscussions, seedProject, seedSettings } from "./simulator/seed-extras.ts";
import { type Gist, nextId, type Repository, timestamp } from "./simulator/state.ts";
import { writeWiki } from "./simulator/wikis.ts";
import { type GithubTestWorld, openGithubWorld, refsOf } from "./test-world.ts";

/** Limits on creating content have their own tests. */
const GENEROUS = {
  contentPerMinute: 1e6,
  contentPerHour: 1e6,
  graphqlLimit: 1e6,
  rateLimit: 1e6,
  importMs: 0,
};

/** Nora's account, with a repository that contains a bit of everything, or with gists. */
export async function openGithubConformance(kind: "repository" | "gist"): Promise<ConformanceWorld> {
  const world = await openGithubWorld(GENEROUS);
  const shared = {
    ...world,
    faults: world.simulator.faults,
    limitShapes: ["primary-403", "primary-429", "secondary-403", "secondary-429"],
    consent: (url: string) => allowInBrowser(url, world.accountName),
  };
  return { ...shared, ...(kind === "gist" ? await gists(world) : await repositories(world)) };
}

type Own = Pick<
  ConformanceWorld,
  "kind" | "item" | "doomed" | "changeItem" | "makeItem" | "titledKinds" | "fingerprint" | "deleteItem"
>;

async function repositories(world: GithubTestWorld): Promise<Own> {
  const github = world.simulator.world;
  const find = ({ externalId }: Reference): Repository => {
    const found = github.state.repositories.find(({ id }) => String(id) === externalId);
    if (found === undefined) throw new Error(`There is no repository ${externalId}`);
    return found;
  };
  const octokit = new Octokit({
    ...{ auth: world.token, baseUrl: world.simulator.apiUrl },
    ...{ throttle: { enabled: false }, retry: { enabled: false } },
  });
  const repository = find(world.item);
  const at = { owner: repository.owner, repo: repository.name };
  generateRecords(github, repository, {
    ...{ issues: 4, pulls: 2, commentsPerIssue: 2, eventsPerIssue: 1, reviewsPerPull: 1, discussions: 1 },
    ...{ from: Date.UTC(2025, 0, 6), seed: 7 },
  });
  seedDiscussions(github, repository);
  seedProject(github, repository);
  seedSettings(github, repository);
  await writeWiki(github, repository, [{ Home: "# Home" }, { "Über uns": "About" }]);
  await octokit.rest.issues.createLabel({ ...at, name: "crane 🏗", color: "ff8800" });
  await octokit.rest.issues.createMilestone({ ...at, title: "Spring" });
  const { data: release } = await octokit.rest.repos.createRelease({
    ...at,
    tag_name: "v1.0",
    name: "First",
  });
  await octokit.rest.repos.uploadReleaseAsset({
    ...{ ...at, release_id: release.id, name: "crane.bin", data: "bytes of a crane" },
    url: release.upload_url,
  });
  return {
    kind: "repository",
    item: world.item,
    doomed: world.doomed,
    deleteItem: world.deleteItem,
    async changeItem(item) {
      const { owner, name } = find(item);
      await addCommits(world.directory(find(item)), { count: 1 });
      await octokit.rest.issues.create({ owner, repo: name, title: `Noticed at ${timestamp()}` });
      const comment = { owner, repo: name, issue_number: 2, body: "Seen again" };
      await octokit.rest.issues.createComment(comment);
      await octokit.rest.issues.update({
        owner,
        repo: name,
        issue_number: 1,
        title: `Edited at ${Date.now()}`,
      });
    },
    titledKinds: ["label", "milestone", "issue", "release-asset"],
    async makeItem({ files, branches, tags, titles, pages, attachments }) {
      const made = await world.makeRepository(`names-${nextId(github.state)}`);
      const there = { owner: made.owner, repo: made.name };
      const folder = world.directory(made);
      await addFiles(folder, { files: files.map((path) => ({ path, base64: btoa("content") })) });
      for (const name of branches) runGit(folder, ["update-ref", `refs/heads/${name}`, "main~1"]);
      for (const name of tags) runGit(folder, ["update-ref", `refs/tags/${name}`, "main~2"]);
      await writeWiki(github, made, [
        Object.fromEntries(pages.map((page) => [page.slice(0, 80), "# A page"])),
      ]);
      for (const title of titles) {
        await octokit.rest.issues.createLabel({ ...there, name: title.slice(0, 50), color: "ff8800" });
        await octokit.rest.issues.createMilestone({ ...there, title });
        await octokit.rest.issues.create({ ...there, title: title.slice(0, 256) });
      }
      const release = { ...there, tag_name: "v1.0", name: titles[0] ?? "" };
      const { data } = await octokit.rest.repos.createRelease(release);
      for (const [index, name] of attachments.entries()) {
        const asset = { ...there, release_id: data.id, name: `${index}${name}`, data: "bytes" };
        await octokit.rest.repos.uploadReleaseAsset({ ...asset, url: data.upload_url });
      }
      return world.reference(made);
    },
    fingerprint: async (item) => {
      const records = JSON.stringify(github.records.of(find(item)));
      return `${await world.fingerprint(item)}\n${records}`;
    },
  };
}

async function gists(world: GithubTestWorld): Promise<Own> {
  const github = world.simulator.world;
  const make = async (description: string) => {
    const files = { [`${description}.sh`]: "#!/bin/sh\nexit 0\n", "notes.md": "# Notes\n" };
    const gist = await createGist(github, { owner: world.accountName, description, isPublic: false, files });
    comment(gist, "Works.");
    return gist;
  };
  const comment = (gist: Gist, body: string) => {
    const times = { createdAt: timestamp(), updatedAt: timestamp() };
    gist.comments.push({ id: nextId(github.state), author: world.accountName, body, ...times });
    github.save();
  };
  const find = ({ externalId }: Reference): Gist => {
    const found = github.state.gists.find(({ id }) => id === externalId);
    if (found === undefined) throw new Error(`There is no gist ${externalId}`);
    return found;
  };
  const [item, doomed] = [await make("deploy"), await make("old query")];
  await make("tariffs");
  const reference = ({ id }: Gist): Reference => ({ externalId: id, fullName: `${world.accountName}/${id}` });
  return {
    kind: "gist",
    item: reference(item),
    doomed: reference(doomed),
    deleteItem: async (one) => deleteGist(github, find(one)),
    titledKinds: [],
    async makeItem({ files }) {
      const content = Object.fromEntries(files.map((file) => [file, "content"]));
      const owner = world.accountName;
      const gist = await createGist(github, {
        owner,
        description: files.join(" "),
        isPublic: false,
        files: content,
      });
      comment(gist, files.join("\n"));
      return reference(gist);
    },
    async changeItem(one) {
      await commitGist(github, find(one), { "notes.md": { content: `# Notes of ${Date.now()}\n` } });
      comment(find(one), "Works again.");
    },
    fingerprint: async (one) => `${JSON.stringify(find(one))}\n${refsOf(gistDirectory(github, find(one)))}`,
  };
}
