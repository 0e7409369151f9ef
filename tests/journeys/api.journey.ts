import type { LiveEvent } from "#core/live/events.schema.ts";
import { expect, test } from "./fixtures.ts";
import { atGithub, createRepository, mailsTo } from "./outside.ts";
import { waitForCheck } from "./repositories.ts";
import { JOB_MS } from "./stack.ts";
import {
  addRepositories,
  connect,
  GITHUB_LIST,
  itemsOf,
  messageOf,
  placeOf,
  waitForBackup,
} from "./steps.ts";

const OWNER = "nora-lindqvist";

type Account = Record<string, unknown> & { username: string };
type Place = { id: string; name: string; node_id: string; type: string };
type Version = { versionid: string; type: string; status: string };

test("[P-130] [P-312] [P-313] the API returns the connected account and its own place", async ({
  page,
  person,
}) => {
  await connect(page);
  const accounts = await person.call<Account[]>("GET", "github/get-github-users");
  expect(accounts).toHaveLength(1);
  expect(accounts[0]?.username).toBe(OWNER);
  for (const field of [
    "id",
    "userType",
    "githubapp",
    "isConfirmed",
    "githubAppOwner",
    "auto_add",
    "owner_id",
  ]) {
    expect(accounts[0]).toHaveProperty(field);
  }
  expect(["User", "Organization"]).toContain(accounts[0]?.userType);
  const places = await person.call<Place[]>("GET", "github/get-available-user-places");
  expect(places.map(({ name, type }) => ({ name, type }))).toEqual([{ name: OWNER, type: "User" }]);
});

test("[P-326] [P-328] [P-330] the API protects a repository, backs it up once per window, and removes it", async ({
  page,
  person,
}) => {
  const name = `api-life-${Date.now()}`;
  await createRepository(`${OWNER}/${name}`);
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);

  await atGithub(`repos/${OWNER}/${name}/commits`, { count: 1 });
  const first = item.lastBackupAt ?? 0;
  const queued = await person.call<{ runId: string }>("POST", "github/backup-now", {
    repoName: `${OWNER}/${name}`,
  });
  expect(queued.runId).toMatch(/^run_/);
  await waitForBackup(person, name, (now) => (now.lastBackupAt ?? 0) > first);
  const versions = await person.call<Version[]>("POST", "user/get-items-backups", {
    itemId: item.id,
    page: 0,
    perPage: 10,
  });
  expect(versions.filter(({ type }) => type === "backup")).toHaveLength(2);
  await expect(person.call("POST", "github/backup-now", { repoName: name })).rejects.toThrow(
    "err.user.backup.limit",
  );

  const placeId = await placeOf(person, OWNER);
  await person.call("DELETE", "github/delete-repos", { placeId, reposIds: [{ id: item.id }] });
  expect((await itemsOf(person)).map((each) => each.name)).not.toContain(name);
  const history = person.call("POST", "user/get-items-backups", { itemId: item.id, page: 0, perPage: 10 });
  await expect(history).rejects.toThrow("err.not.found");
});

test("[P-334] [P-336] the API restores a version to a new repository, sends an e-mail, and returns a version as a ZIP", async ({
  page,
  person,
}) => {
  const name = `api-back-${Date.now()}`;
  await createRepository(`${OWNER}/${name}`, { commits: 3 });
  await connect(page);
  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);
  // Otherwise the ZIP is announced by mail.
  await waitForCheck(person, item);
  const [version] = await person.call<Version[]>("POST", "user/get-items-backups", {
    itemId: item.id,
    page: 0,
    perPage: 10,
  });
  if (!version) throw new Error("there is no version");
  const place = (await person.call<Place[]>("GET", "github/get-available-user-places"))[0];
  await person.call("POST", "github/restore-repos", {
    items: [{ id: item.id, versionid: version.versionid, name: `${name}-again`, place }],
    placeId: place?.id,
    emails: person.email,
  });
  await expect
    .poll(async () => (await mailsTo(person.email)).map(({ subject }) => subject), { timeout: JOB_MS })
    .toContain(`${name} was restored as ${name}-again`);
  const placeId = await placeOf(person, OWNER);
  const { not_added } = await person.call<{ not_added: { name: string }[] }>(
    "GET",
    "github/get-available-repos-for-github-user",
    { page: "0", perPage: "20", placeId, name: `${name}-again` },
  );
  expect(not_added.map((each) => each.name)).toEqual([`${name}-again`]);

  const { url } = await person.call<{ url: string }>("POST", "github/github-get-zip", {
    repoId: item.id,
    versionId: version.versionid,
  });
  const download = await page.request.get(url);
  expect(download.headers()["content-type"]).toBe("application/zip");
  expect((await download.body()).subarray(0, 2).toString()).toBe("PK");
});

test("[P-172] [P-173] [P-207] [P-208] adding items shows its progress on every open screen, and rows appear and disappear without a reload", async ({
  page,
  person,
}) => {
  const name = `api-live-${Date.now()}`;
  await createRepository(`${OWNER}/${name}`);
  const heard: LiveEvent[] = [];
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const event = messageOf(payload)?.event;
      if (event) heard.push(event);
    }),
  );
  await connect(page);
  const welcomed = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));
  await page.goto(GITHUB_LIST);
  await welcomed;
  await addRepositories(person, OWNER, [name]);
  const row = page.getByRole("main").getByRole("link", { name, exact: true });
  await expect(row).toBeVisible();
  await waitForBackup(person, name);
  const success = () => heard.find((event) => event.method === "item-status" && event.status === "success");
  await expect.poll(success).toBeTruthy();
  expect(heard.find(({ method }) => method === "items-adding")).toMatchObject({
    platform: "github",
    addedItems: 1,
    totalItems: 1,
  });
  for (const field of ["id", "type", "status", "date", "data_size", "actionProcess"])
    expect(success()).toHaveProperty(field);

  const placeId = await placeOf(person, OWNER);
  const gone = (await itemsOf(person)).find((item) => item.name === name);
  await person.call("DELETE", "github/delete-repos", { placeId, reposIds: [{ id: gone?.id ?? "" }] });
  await expect(row).toHaveCount(0);
});
