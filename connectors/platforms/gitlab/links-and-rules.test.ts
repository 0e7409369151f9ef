import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, testSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import type { Project } from "./simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld } from "./test-world.ts";

let world: GitlabTestWorld;
let token: string;
beforeAll(async () => {
  world = await openGitlabWorld("project");
  token = await world.issueToken();
});
afterAll(() => world.stop());

const session = () => testSession({ config: world.config, token, accountName: world.accountName });

async function backUp(project: Project, previous: MemorySnapshot | null = null, by = session()) {
  const item = await connector.getItem(by, { kind: "project", ...world.reference(project) });
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

async function restore(version: MemorySnapshot, name: string) {
  const { events } = await runRestore(connector.restore(session(), version, asNew(name), memoryJournal()));
  return { events, restored: world.projectNamed(name) };
}

type Linked = { iid: number; link_type: string };

test("links between issues are in the version and made again once; links to other projects are reported", async () => {
  const project = await world.makeProject("linked");
  const other = await world.makeProject("neighbour");
  const at = `/projects/${project.id}`;
  for (const title of ["Gate", "Hinge", "Oil", "Alone"]) await world.ask("POST", `${at}/issues`, { title });
  await world.ask("POST", `/projects/${other.id}/issues`, { title: "Next door" });
  const link = (iid: number, target: Project, targetIid: number, link_type?: string) =>
    world.ask("POST", `${at}/issues/${iid}/links`, {
      ...{ target_project_id: target.id, target_issue_iid: targetIid },
      ...(link_type && { link_type }),
    });
  await link(1, project, 2);
  await link(3, project, 1, "blocks");
  await link(2, other, 1);
  const by = session();
  const version = await backUp(project, null, by);
  expect(await version.readRecord("issues/000000000001/links.json")).toMatchObject([
    { iid: 2, link_type: "relates_to" },
    { iid: 3, link_type: "is_blocked_by" },
  ]);
  expect(version.entries.has("issues/000000000004/links.json")).toBe(false);
  expect(by.requests.filter(({ url }) => url.endsWith("/links"))).toHaveLength(3);
  const { events, restored } = await restore(version, "linked-2");
  const linksOf = (iid: number) => world.ask<Linked[]>("GET", `/projects/${restored.id}/issues/${iid}/links`);
  expect(await linksOf(1)).toMatchObject([
    { iid: 2, link_type: "relates_to" },
    { iid: 3, link_type: "is_blocked_by" },
  ]);
  expect(await linksOf(2)).toHaveLength(1);
  expect(await linksOf(3)).toMatchObject([{ iid: 1, link_type: "blocks" }]);
  expect(other.issues[0]?.notes).toHaveLength(1);
  expect(events).toContainEqual(
    expect.objectContaining({
      ...{ type: "impossible", what: expect.stringMatching(/^Link of the issue #2 to http.*neighbour/) },
    }),
  );
});

test("a link that was removed is not in the next version", async () => {
  const project = await world.makeProject("parted");
  const at = `/projects/${project.id}`;
  for (const title of ["Gate", "Hinge"]) await world.ask("POST", `${at}/issues`, { title });
  // GitLab's times have milliseconds. What happens in that of the creation does not show.
  await sleep(2);
  await world.ask("POST", `${at}/issues/1/links`, { target_project_id: project.id, target_issue_iid: 2 });
  const first = await backUp(project);
  expect(first.entries.has("issues/000000000002/links.json")).toBe(true);
  world.simulator.world.state.issueLinks = [];
  for (const iid of [1, 2]) await world.ask("PUT", `${at}/issues/${iid}`, { title: `Changed ${iid}` });
  const second = await backUp(project, first);
  expect([...second.entries.keys()].filter((path) => path.endsWith("links.json"))).toEqual([]);
});

test("protected tags and badges return; schedules and deploy keys are in the version and reported", async () => {
  const project = await world.makeProject("ruled");
  const at = `/projects/${project.id}`;
  await world.ask("POST", `${at}/protected_tags`, { name: "v*", create_access_level: 30 });
  const badge = {
    ...{ name: "Build", link_url: "https://ci.example/%{project_path}" },
    image_url: "https://ci.example/%{project_path}.svg",
  };
  await world.ask("POST", `${at}/badges`, badge);
  await world.ask("POST", `${at}/pipeline_schedules`, {
    ...{ description: "Every night", ref: "main", cron: "0 3 * * *", cron_timezone: "Berlin" },
  });
  await world.ask("POST", `${at}/deploy_keys`, { title: "Server 7", key: "ssh-ed25519 AAAAC3Nza7" });
  const version = await backUp(project);
  expect(version.skipped).toEqual([]);
  expect(await version.readRecord("settings/pipeline-schedules.json")).toMatchObject([
    { description: "Every night", ref: "main", cron: "0 3 * * *", cron_timezone: "Berlin", active: true },
  ]);
  expect(await version.readRecord("settings/deploy-keys.json")).toMatchObject([
    { title: "Server 7", key: "ssh-ed25519 AAAAC3Nza7", can_push: false },
  ]);
  const { events, restored } = await restore(version, "ruled-2");
  expect(restored.protectedTags).toEqual([{ name: "v*", level: 30 }]);
  expect(await world.ask("GET", `/projects/${restored.id}/badges`)).toMatchObject([badge]);
  expect(restored.schedules ?? []).toEqual([]);
  expect(restored.deployKeys ?? []).toEqual([]);
  const told = events.flatMap((event) => (event.type === "impossible" ? [event.what] : []));
  expect(told).toEqual(expect.arrayContaining(["Pipeline schedules: Every night", "Deploy keys: Server 7"]));
  for (const kind of ["protected-tag", "badge"])
    expect(events).toContainEqual({ type: "restored", kind, count: 1 });
});

test("settings that rarely change are read in full reads, and kept on other days", async () => {
  const project = await world.makeProject("calm");
  await world.ask("POST", `/projects/${project.id}/protected_tags`, { name: "v*" });
  const first = await backUp(project);
  let now = Date.now();
  const on = (isWhole: boolean) => {
    do now += DAY_MS;
    while (isWholeDay(String(project.id), now) !== isWhole);
    return { ...session(), clock: { now: () => now } };
  };
  const rare = /protected_tags|pipeline_schedules|deploy_keys|badges/;
  const ordinary = on(false);
  await world.ask("POST", `/projects/${project.id}/protected_tags`, { name: "release-*" });
  const second = await backUp(project, first, ordinary);
  expect(ordinary.requests.filter(({ url }) => rare.test(url))).toEqual([]);
  expect(await second.readRecord("settings/protected-tags.json")).toHaveLength(1);
  const third = await backUp(project, second, on(true));
  expect(await third.readRecord("settings/protected-tags.json")).toHaveLength(2);
});

test("a file of a release has its own address again", async () => {
  const project = await world.makeProject("released");
  const links = [
    { name: "crane", url: "https://files.example/crane.bin", direct_asset_path: "/bin/crane-v2" },
    { name: "manual", url: "https://docs.example/manual.pdf" },
  ];
  await world.ask("POST", `/projects/${project.id}/releases`, {
    ...{ tag_name: "v1.1", name: "One", description: "Lifts", assets: { links } },
  });
  const { restored } = await restore(await backUp(project), "released-2");
  expect(restored.releases[0]?.links).toMatchObject([
    { name: "crane", directAssetPath: "/bin/crane-v2" },
    { name: "manual", directAssetPath: null },
  ]);
});
