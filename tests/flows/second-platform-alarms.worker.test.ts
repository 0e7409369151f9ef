import { afterAll, beforeAll, expect, test } from "vitest";
import { acknowledgeAlarms, listItemAlarms } from "#core/alarms/index.ts";
import { requestBackup } from "#core/backups/index.ts";
import { compareFileOf, compareRefOf, compareVersions } from "#core/comparisons/index.ts";
import { addItems, getItem, listAvailableItems } from "#core/inventory/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideGitlab, openGitlab } from "#tests/harness/outside.ts";

const GITLAB = "gitlab";
const LOGIN = "nora-lindqvist";

let world: FlowWorld;
let gitlab: OutsideGitlab;

beforeAll(async () => {
  gitlab = await openGitlab();
  const vars = {
    GITLAB_URL: gitlab.url,
    GITLAB_CLIENT_ID: gitlab.clientId,
    GITLAB_CLIENT_SECRET: gitlab.clientSecret,
  };
  world = await openFlowWorld({ isConnected: false, vars });
});
afterAll(async () => {
  await world.close();
  await gitlab.close();
});

async function backUpNow(itemId: string): Promise<void> {
  world.clock.advance(DAY_MS);
  await requestBackup(world.services, world.member, { platform: GITLAB, itemId });
  await world.drain();
}

test("a GitLab project that lost half of its issues and its history raises alarms by the same rules", async () => {
  const { id } = await gitlab.control<{ id: number }>("projects", { path: `${LOGIN}/crane` });
  await gitlab.control(`projects/${id}/commits`, { count: 3 });
  await gitlab.control(`projects/${id}/generate`, { issues: 12 });
  await connect(world, GITLAB);
  const query = { platform: GITLAB, kind: "project", placeId: null, name: "crane", page: 0, perPage: 10 };
  const { items } = await listAvailableItems(world.services, world.member, query);
  const externals = items.map(({ externalId }) => ({ externalId }));
  const order = { platform: GITLAB, kind: "project", placeId: null, externals };
  const { added } = await addItems(world.services, world.member, order);
  const itemId = added[0]!.id;
  await world.drain();
  for (let iid = 1; iid <= 6; iid++) await gitlab.control(`projects/${id}/issues/${iid}/delete`);
  await gitlab.control(`projects/${id}/force-push`, { back: 1 });
  await backUpNow(itemId);

  const alarms = await listItemAlarms(world.services, world.member, { itemId });
  expect(alarms.map(({ kind }) => kind).sort()).toEqual(["history-rewrite", "mass-deletion"]);
  expect(alarms.find(({ kind }) => kind === "mass-deletion")?.message).toBe("6 of 12 issues are gone.");
  const { alarm } = await getItem(world.services, world.member, { itemId });
  expect(alarms.map(({ message }) => message)).toContain(alarm);

  const { snapshotId, keptSnapshotId } = alarms[0]!;
  const both = { itemId, beforeId: keptSnapshotId!, afterId: snapshotId };
  const compared = await compareVersions(world.services, world.member, both);
  const files = compared.views[0];
  invariant(files?.kind === "files", "the project has files");
  const main = files.tree.refs.find(({ isDefault }) => isDefault)!;
  expect(main).toMatchObject({ isRewritten: true, lost: { count: 1 } });
  const place = { ...both, tree: files.id, ref: main.name };
  const tips = await compareRefOf(world.services, world.member, place);
  const { path, change } = tips.files[0]!;
  const file = await compareFileOf(world.services, world.member, { ...place, path });
  expect(file).toMatchObject({ path, change, body: { type: "text" } });

  expect(await acknowledgeAlarms(world.services, world.member, { itemId })).toEqual({ acknowledged: 2 });
  expect((await getItem(world.services, world.member, { itemId })).alarm).toBeNull();
});
