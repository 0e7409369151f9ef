import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { askForBackup, backUpNow, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { KIND, PLATFORM } from "#tests/harness/flow-world.ts";
import { openSecurityWorld, type SecurityWorld } from "#tests/security/security-world.ts";

/** Item rows and history as API clients read them, from a real connection to a real backup. */

let world: SecurityWorld;
beforeAll(async () => {
  world = await openSecurityWorld();
});
afterAll(() => world.close());

const PACK = { path: "git-upload-pack" };

type Row = Record<string, unknown>;
type Body = { result: Row[] & Row } & Row;

async function call(method: string, path: string, given: Record<string, unknown> = {}): Promise<Body> {
  const isGet = method === "GET";
  const answer = await world.ask("owner", {
    method,
    path: `/api/${path}`,
    ...(isGet ? { query: given as Record<string, string> } : { body: given }),
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json as unknown as Body;
}

/** Creates a gist in the connected account. */
async function giveGist(description: string): Promise<void> {
  const { webUrl, apiUrl } = world.flow.outside;
  const order = { login: "nora-lindqvist", scopes: ["gist"] };
  const granted = await fetch(`${webUrl}/__sim/github/token`, {
    method: "POST",
    body: JSON.stringify(order),
  });
  const { token } = (await granted.json()) as { token: string };
  const body = JSON.stringify({ description, public: false, files: { "a.md": { content: "# A" } } });
  const headers = { authorization: `Bearer ${token}`, "user-agent": "test" };
  expect((await fetch(`${apiUrl}/gists`, { method: "POST", headers, body })).status).toBe(201);
}

const items = (name: string) => call("GET", `${PLATFORM}/get-user-github-items`, { name, perPage: "10" });
const rowOf = async (name: string) => (await items(name)).result[0]!;
const history = async (itemId: string) => (await call("POST", "user/get-items-backups", { itemId })).result;

test("[P-135] available items have id, name and type or node_id", async () => {
  const { result: places } = await call("GET", `${PLATFORM}/get-available-github-places`);
  expect(places[0]).toMatchObject({
    id: expect.any(String),
    name: expect.any(String),
    type: expect.stringMatching(/^(User|Organization)$/),
  });
  const [own] = (await call("GET", `${PLATFORM}/get-available-user-places`)).result;
  expect([places[0]!.node_id, own!.node_id]).toEqual([expect.any(String), expect.any(String)]);
  const placeId = own!.id as string;
  const { result } = await call("GET", `${PLATFORM}/get-available-repos-for-github-user`, { placeId });
  expect((result.not_added as Row[])[0]).toMatchObject({
    id: expect.any(String),
    name: expect.any(String),
    node_id: expect.any(String),
  });
  await giveGist("tariffs");
  const gists = (await call("GET", `${PLATFORM}/get-available-gists-for-github-user`)).result;
  expect((gists.not_added as Row[])[0]).toMatchObject({
    id: expect.any(String),
    name: expect.any(String),
    description: "tariffs",
  });
});

test("protected items are not among the available ones", async () => {
  const { flow } = world;
  const added = await flow.protect("wire-offer", "tiny");
  const placeId = added.placeId ?? "";
  const offered = async () =>
    (await call("GET", `${PLATFORM}/get-available-repos-for-github-user`, { placeId, name: "wire-offer" }))
      .result;
  const namesOf = (rows: unknown) => (rows as Row[]).map(({ name }) => name);
  const now = await offered();
  expect([namesOf(now.not_added), namesOf(now.already_added)]).toEqual([[], ["wire-offer"]]);
  await call("DELETE", `${PLATFORM}/delete-repos`, { placeId, reposIds: [{ id: added.id }] });
  await flow.drain();
  const then = await offered();
  expect([namesOf(then.not_added), namesOf(then.already_added)]).toEqual([["wire-offer"], []]);
});

test("[P-138] [P-139] [P-140] [P-141] [P-146] [P-155] [P-178] [P-182] an item's row follows it from the first backup to a restore and its end", async () => {
  const { flow } = world;
  const added = await flow.protect("wire-life", "tiny");
  const fresh = await rowOf("wire-life");
  expect(fresh).toMatchObject({
    id: added.id,
    name: "wire-life",
    size: 0,
    lastBackup: "-",
    isActive: true,
    is_daily_backed_up: true,
    isDailyActive: true,
    actionProcess: "backing_up_process",
    status: "initialized",
    isRepo: true,
    is_private: true,
    visibility: "private",
    organizationName: added.fullName.split("/")[0],
  });
  // A failed first backup leaves the item unchanged: nothing is finished.
  await flow.outside.fault({ match: PACK, times: 500, action: { kind: "answer", status: 503 } });
  await flow.drain();
  expect(await rowOf("wire-life")).toMatchObject({
    actionProcess: null,
    status: "initialized",
    lastBackup: "-",
  });
  await flow.outside.clearFaults();
  await backUpNow(flow, added.id);
  const good = await rowOf("wire-life");
  expect(good).toMatchObject({ actionProcess: null, status: "backuped", lastBackup: expect.any(Number) });
  expect(good.size).toBeGreaterThan(0);

  await call("PUT", `${PLATFORM}/update-daily-backup-items-statuses`, {
    is_daily_backed_up: false,
    reposIds: [added.id],
  });
  expect(await rowOf("wire-life")).toMatchObject({
    isActive: false,
    is_daily_backed_up: false,
    isDailyActive: false,
  });

  const { id: snapshot } = await newestSnapshot(flow, added.id);
  await call("POST", `${PLATFORM}/restore-repos`, { items: [{ id: added.id, versionid: snapshot }] });
  expect((await rowOf("wire-life")).actionProcess).toBe("restoring_process");
  await flow.drain();
  expect((await rowOf("wire-life")).actionProcess).toBeNull();
  const types = (await history(added.id)).map(({ type }) => type);
  expect(types.toSorted()).toEqual(["backup", "backup", "restore"]);
  await env[`LEDGER_${flow.region}`]
    .prepare("UPDATE item SET status = 'deleted' WHERE id = ?")
    .bind(added.id)
    .run();
  expect((await rowOf("wire-life")).status).toBe("deleted");
});

test("[P-334] restore-repos makes a repository of the given name at the given place, and writes to the given address", async () => {
  const { flow } = world;
  const added = await flow.protect("wire-return", "tiny");
  await flow.drain();
  const { id: versionid } = await newestSnapshot(flow, added.id);
  const [place] = (await call("GET", `${PLATFORM}/get-available-user-places`)).result;
  const emails = "ann@example.com";
  await call("POST", `${PLATFORM}/restore-repos`, {
    ...{ items: [{ id: added.id, versionid, name: "wire-returned", place }], placeId: place!.id, emails },
  });
  await flow.drain();
  const query = { placeId: place!.id, name: "wire-returned" };
  const { result } = await call("GET", `${PLATFORM}/get-available-repos-for-github-user`, query);
  expect((result.not_added as Row[]).map(({ name }) => name)).toEqual(["wire-returned"]);
  expect(flow.mails.filter(({ to }) => to === emails)).toHaveLength(1);
});

test("[P-336] github-get-zip prepares the ZIP of an item's version, and then returns its URL", async () => {
  const { flow } = world;
  const added = await flow.protect("wire-zip", "tiny");
  await flow.drain();
  const { id: versionId } = await newestSnapshot(flow, added.id);
  const order = { repoId: added.id, versionId };
  await call("POST", `${PLATFORM}/github-get-zip`, order);
  await flow.drain();
  const { result } = await call("POST", `${PLATFORM}/github-get-zip`, order);
  expect(result.url).toMatch(/^http.*\/download\//);
});

test("[P-154] [P-159] [P-161] [P-391] a history has successes, failures and active runs, with their ZIPs", async () => {
  const { flow } = world;
  const added = await flow.protect("wire-past", "tiny");
  await flow.drain();
  const [success] = await history(added.id);
  const { id: snapshot } = await newestSnapshot(flow, added.id);
  expect(success).toMatchObject({
    key: expect.stringMatching(/^run_/),
    type: "backup",
    status: "success",
    versions: snapshot,
    versionid: snapshot,
    action_process: null,
    error_message: null,
    download_zip_url: null,
    zip_status: "none",
    expire_date_zip_url: null,
  });
  expect(success!.size).toBeGreaterThan(0);
  expect(success!.sizeSub).toBe(success!.data_size);
  expect(success!.date as number).toBeGreaterThan(Date.UTC(2020, 0));
  expect(success!.extra_fields).toEqual({
    fullBackupSize: success!.size,
    get_zip: null,
    scopeVersionId: null,
  });

  await call("POST", `${PLATFORM}/github-get-zip`, { repoId: added.id, versionId: snapshot });
  await flow.drain();
  const [zipped] = await history(added.id);
  expect(zipped).toMatchObject({ zip_status: "ready", download_zip_url: expect.stringMatching(/^http/) });
  expect(zipped!.expire_date_zip_url as number).toBeGreaterThan(Date.now());
  expect(zipped!.extra_fields).toMatchObject({ get_zip: zipped!.download_zip_url });

  await flow.outside.fault({ match: PACK, times: 500, action: { kind: "answer", status: 503 } });
  const failed = await backUpNow(flow, added.id);
  expect(failed.status).toBe("failed");
  expect((await history(added.id))[0]).toMatchObject({
    key: failed.id,
    status: "failed",
    versions: null,
    action_process: null,
    error_message: failed.error_text,
  });
  await askForBackup(flow, added.id);
  const rows = await history(added.id);
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({
    status: "queued",
    action_process: "backing_up_process",
    error_message: null,
  });
  await flow.drain();
});

test("[P-175] [P-176] a list states what may be backed up and whether the platform accepts us, and actions their history", async () => {
  const { flow } = world;
  const list = await items("wire");
  expect(list).toMatchObject({
    canUserBackup: true,
    isTokenValid: true,
    totalItemsNumber: expect.any(Number),
  });
  const actions = await call("POST", "user/get-actions?page=0&perPage=5", { platform: PLATFORM });
  expect(actions.result).toHaveLength(5);
  const plan = env.DB.prepare("UPDATE subscription SET plan = ? WHERE organisation_id = ?");
  await plan.bind("essential", flow.member.organisationId).run();
  expect((await items("wire")).canUserBackup).toBe(false);
  await plan.bind("pro", flow.member.organisationId).run();
  const token = env.DB.prepare("UPDATE connection SET status = ? WHERE organisation_id = ?");
  await token.bind("revoked", flow.member.organisationId).run();
  expect((await items("wire")).isTokenValid).toBe(false);
  await token.bind("active", flow.member.organisationId).run();
});

test("[P-393] the actions of an item are its backups and restores, by page, and those of no other item", async () => {
  const { id } = await rowOf("wire-life");
  const actions = async (query: string, more: Row = { id }) =>
    (await call("POST", `user/get-actions?${query}`, { platform: PLATFORM, ...more })).result;
  const all = await actions("page=0&perPage=20");
  expect(all.map(({ type, status }) => `${type} ${status}`).toSorted()).toEqual([
    "backup failed",
    "backup success",
    "restore success",
  ]);
  const keys = all.map(({ key }) => key);
  const pages = [await actions("page=0&perPage=2"), await actions("page=1&perPage=2")];
  expect(pages.map((rows) => rows.map(({ key }) => key))).toEqual([keys.slice(0, 2), keys.slice(2)]);
  expect((await actions("page=0&perPage=20", {})).length).toBeGreaterThan(keys.length);
});

test("[P-177] trial and subscription are returned for every platform of the account", async () => {
  const { result } = await call("GET", "payments/get-platforms-trial-statuses");
  const { flow } = world;
  const [items] = await flow.rows<{ count: number }>(
    // One that is gone at the platform counts too: its versions are kept.
    "SELECT count(*) AS count FROM item WHERE organisation_id = ? AND platform = ?",
    flow.member.organisationId,
    PLATFORM,
  );
  const { results: plans } = await env.DB.prepare(
    "SELECT platform, plan, quantity FROM subscription WHERE organisation_id = ?",
  )
    .bind(flow.member.organisationId)
    .all<{ platform: string; plan: string; quantity: number }>();
  const { quantity } = plans.find(({ platform }) => platform === PLATFORM)!;
  expect(result[PLATFORM]).toMatchObject({
    trialStatus: "expired",
    planQuantity: quantity,
    addedItemsQuantity: items!.count,
    availableItemsQuantity: quantity - items!.count,
    subscription_type: "pro_plan",
    subscription: { type: "subscription", planName: "Pro", planQuantity: quantity },
  });
  for (const { id } of descriptors.filter(({ id }) => id !== PLATFORM)) {
    const plan = plans.find(({ platform }) => platform === id)?.plan;
    expect([id, result[id]]).toMatchObject([
      id,
      plan === undefined
        ? { trialStatus: "not started", subscription: { type: "no-sub" } }
        : plan === "trial"
          ? { trialStatus: "active", subscription: { type: "trial" } }
          : { trialStatus: "expired", subscription: { type: "subscription" } },
    ]);
  }
});

test("[P-402] one call queues a backup of every active item of the platform, and a second one returns when it reopens", async () => {
  const { flow } = world;
  await flow.protect("wire-all-one", "tiny");
  const resting = await flow.protect("wire-all-two", "tiny");
  await flow.drain();
  flow.clock.advance(2 * 86_400_000);
  await call("PUT", `${PLATFORM}/update-daily-backup-items-statuses`, {
    is_daily_backed_up: false,
    reposIds: [resting.id],
  });
  const [active] = await flow.rows<{ count: number }>(
    `SELECT count(*) AS count FROM item WHERE organisation_id = ? AND kind = ? AND is_daily = 1 AND status <> 'deleted'`,
    flow.member.organisationId,
    KIND,
  );
  const ask = () => world.ask("owner", { method: "GET", path: `/api/${PLATFORM}/backup-all-items-now` });
  const first = await ask();
  const { queued, refused } = (first.json?.result ?? {}) as { queued: number; refused: number };
  // Items whose own window is used are refused and counted.
  expect(queued + refused).toBe(active!.count);
  expect((await rowOf("wire-all-one")).actionProcess).toBe("backing_up_process");
  expect((await rowOf("wire-all-two")).actionProcess).toBeNull();
  const second = await ask();
  expect(second.status).toBe(429);
  expect(second.json).toMatchObject({
    status: "failure",
    code: "err.user.backup.limit",
    message: expect.stringMatching(/\S/),
  });
  await flow.drain();
});
