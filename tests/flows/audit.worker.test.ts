import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listActions, recordActions } from "#core/audit/index.ts";
import { requestAllBackups } from "#core/backups/index.ts";
import { addPlaces, listAvailablePlaces } from "#core/connections/index.ts";
import { openZipDownload, requestCloneUrl, requestZip } from "#core/exports/index.ts";
import { removeItems, setDailyBackup } from "#core/inventory/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import { askForBackup, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

let world: FlowWorld;
beforeAll(async () => {
  world = await openFlowWorld();
});
afterAll(() => world.close());

/** The audit trail, oldest first, without sign-in and sign-up. */
async function trail(): Promise<string[]> {
  const { actions } = await listActions(world.services, world.member, { page: 0, perPage: 200 });
  return actions
    .filter(({ platform }) => platform !== null)
    .map(({ type, subject, name, platform }) => {
      expect([name, platform]).toEqual([world.member.name, PLATFORM]);
      return `${type} ${subject}`;
    })
    .toReversed();
}

test("every action on protected data is audited once with its name", async () => {
  const { services, member } = world;
  const item = await world.protect("ledger-service", "tiny");
  await world.drain();
  const place = (await listAvailablePlaces(services, member, { platform: PLATFORM }))[0]!;
  for (let i = 0; i < 2; i++) {
    await addPlaces(services, member, { platform: PLATFORM, externalIds: [place.externalId] });
  }
  const daily = { platform: PLATFORM, items: [{ kind: KIND, itemIds: [item.id] }] };
  await setDailyBackup(services, member, { ...daily, isDaily: false });
  await setDailyBackup(services, member, { ...daily, isDaily: false });
  await setDailyBackup(services, member, { ...daily, isDaily: true });
  const [row] = await world.rows<{ changes: string }>("SELECT daily_changes AS changes FROM item");
  expect(JSON.parse(row!.changes)).toHaveLength(2);
  await askForBackup(world, item.id);
  await world.drain();
  world.clock.advance(2 * 86_400_000);
  await requestAllBackups(services, member, { platform: PLATFORM, kind: KIND, placeId: null });
  await world.drain();
  const snapshot = await newestSnapshot(world, item.id);
  await requestRestores(services, member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: item.id, snapshotId: snapshot.id, name: null, place: null }],
    placeId: null,
    emails: [],
  });
  await world.drain();
  const order = { platform: PLATFORM, itemId: item.id, snapshotId: snapshot.id };
  let url = "";
  for (let i = 0; i < 2; i++) {
    const zip = await requestZip(services, member, order);
    if (zip.kind !== "ready") throw new Error("The ZIP is not ready.");
    url = zip.url;
    await (await openZipDownload(services, url.split("/").at(-1)!)).recordTaking();
  }
  await requestCloneUrl(services, member, { itemId: item.id, snapshotId: snapshot.id });
  await removeItems(services, member, { platform: PLATFORM, kind: KIND, itemIds: [item.id] });
  const account = await env.DB.prepare("select name from connection").first<string>("name");
  const told = await trail();
  expect(told.filter((line) => line.startsWith("download-zip"))).toEqual([
    expect.stringMatching(/^download-zip ledger-service-.*Z\.zip$/),
  ]);
  expect(told.filter((line) => !line.startsWith("download-zip"))).toEqual([
    `connect-account ${account}`,
    "start-trial null",
    `add-item ${item.fullName}`,
    `add-place ${place.name}`,
    `deactivate-daily-backup ${item.fullName}`,
    `activate-daily-backup ${item.fullName}`,
    `backup-now ${item.fullName}`,
    `backup-all-now ${account}`,
    `restore-item ${item.fullName}`,
    `request-zip ${item.fullName}`,
    `request-clone-address ${item.fullName}`,
    `delete-item ${item.fullName}`,
  ]);
  const versions = await env.DB.prepare(
    "select action, version_id as id, version_taken_at as at from audit_entry where version_id is not null order by action",
  ).all<{ action: string; id: string; at: number }>();
  expect(versions.results).toEqual(
    ["download-zip", "request-clone-address", "request-zip", "restore-item"].map((action) => ({
      action,
      id: snapshot.id,
      at: snapshot.taken_at,
    })),
  );
});

test("connecting the same account again keeps its row and is audited again", async () => {
  const row = () =>
    env.DB.prepare(
      "select id, region, c.token_version, connection.status from connection join credential c on connection_id = id",
    ).first<{
      id: string;
      token_version: number;
    }>();
  const before = await row();
  await env.DB.prepare("update connection set status = 'revoked'").run();
  await connect(world);
  expect(await row()).toEqual({
    ...before,
    token_version: (before?.token_version ?? 0) + 1,
    status: "active",
  });
  expect((await trail()).filter((line) => line.startsWith("connect-account"))).toHaveLength(2);
});

test("a thousand entries are written concurrently, and repeating them changes nothing", async () => {
  const { services, member } = world;
  const { organisationId, userId, name: userName } = member;
  const entries = Array.from({ length: 1_000 }, (_, i) => ({
    ...{ organisationId, userId, userName, action: "add-item", platform: "trello" },
    subject: `board-${i}`,
    occasion: `add-item:test-${i}`,
  }));
  const { total } = await listActions(services, member, { page: 0, perPage: 1 });
  await recordActions(services, entries);
  await recordActions(services, entries);
  await recordActions(services, []);
  const after = await listActions(services, member, { page: 0, perPage: 1 });
  expect(after.total).toBe(total + 1_000);
  expect(after.actions[0]).toMatchObject({ type: "add-item", platform: "trello" });
});
