import { afterAll, beforeAll, expect, test } from "vitest";
import { listAvailablePlaces, listRestorePlaces } from "#core/connections/index.ts";
import { addItems, listAvailableItems } from "#core/inventory/index.ts";
import { planRestore, type RestoreReport, requestRestores } from "#core/restores/index.ts";
import { findRun, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideGitlab, openGitlab } from "#tests/harness/outside.ts";

// Each test continues where the one before it ended.

const GITLAB = "gitlab";
const LOGIN = "nora-lindqvist";
/** In the seed, Nora owns the first group, owns the second by inheritance, and maintains the third. */
const [OWNED, BELOW, MAINTAINED] = ["meridian-freight", "meridian-freight/docks", "harbour-works"] as const;

let world: FlowWorld;
let gitlab: OutsideGitlab;
let order: { itemId: string; snapshotId: string };

beforeAll(async () => {
  gitlab = await openGitlab();
  const vars = {
    GITLAB_URL: gitlab.url,
    GITLAB_CLIENT_ID: gitlab.clientId,
    GITLAB_CLIENT_SECRET: gitlab.clientSecret,
  };
  world = await openFlowWorld({ isConnected: false, vars });
  await connect(world, GITLAB);
  const { token } = await gitlab.control<{ token: string }>("token", { login: LOGIN });
  const { id } = await gitlab.control<{ id: number }>("projects", { path: `${BELOW}/winch` });
  await gitlab.control(`projects/${id}/commits`, { count: 2 });
  const answer = await fetch(`${gitlab.url}/api/v4/projects/${id}/issues`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ iid: 7, title: "It squeaks", created_at: "2025-01-02T10:00:00.000Z" }),
  });
  expect(answer.status).toBe(201);
});
afterAll(async () => {
  await world.close();
  await gitlab.close();
});

/** Restores a whole version into a new item. */
const whole = { part: null, into: null, answers: {} };
const places = () => listAvailablePlaces(world.services, world.member, { platform: GITLAB });

async function placeNamed(name: string): Promise<string> {
  const found = (await places()).find((place) => place.name === name);
  if (found === undefined) throw new Error(`There is no place ${name}`);
  return found.externalId;
}

async function restoreInto(externalId: string, name: string): Promise<RestoreReport> {
  const { runIds } = await requestRestores(world.services, world.member, {
    platform: GITLAB,
    kind: "project",
    items: [{ ...order, name, place: { externalId } }],
    placeId: null,
    emails: [],
  });
  await world.drain();
  expect((await findRun(world, runIds[0]!)).status).toBe("succeeded");
  const [run] = await world.rows<{ report: string }>("SELECT report FROM run WHERE id = ?", runIds[0]!);
  return JSON.parse(run!.report) as RestoreReport;
}

test("available items are listed by group, and a subgroup's project can be protected", async () => {
  const seen = async (placeId: string | null) => {
    const query = { platform: GITLAB, kind: "project", placeId, name: null, page: 0, perPage: 50 };
    return (await listAvailableItems(world.services, world.member, query)).items;
  };
  expect((await places()).map(({ name }) => name)).toEqual([LOGIN, MAINTAINED, OWNED, BELOW]);
  expect((await seen(await placeNamed(MAINTAINED))).map(({ name }) => name)).toEqual([]);
  const inside = await seen(await placeNamed(OWNED));
  expect(inside.map(({ fullName }) => fullName)).toEqual([`${BELOW}/winch`]);
  const externals = inside.map(({ externalId }) => ({ externalId }));
  const { added } = await addItems(world.services, world.member, {
    platform: GITLAB,
    kind: "project",
    placeId: null,
    externals,
  });
  await world.drain();
  const itemId = added[0]!.id;
  order = { itemId, snapshotId: (await newestSnapshot(world, itemId)).id };
});

test("a restore can go to every group in which the account may create, and goes to the chosen one", async () => {
  const offered = await listRestorePlaces(world.services, world.member, { platform: GITLAB });
  expect(offered.map(({ name, restores }) => [name, restores ?? "wholly"])).toEqual([
    [LOGIN, "wholly"],
    [MAINTAINED, "partly"],
    [OWNED, "wholly"],
    [BELOW, "wholly"],
  ]);
  const report = await restoreInto(await placeNamed(OWNED), "winch two");
  expect(report.item.fullName).toBe(`${OWNED}/winch-two`);
  expect(report.mapped).toEqual([]);
});

test("where the account is not an owner, plan and report state what cannot be restored", async () => {
  const placeId = await placeNamed(MAINTAINED);
  const planned = async (to: string | null) => {
    const plan = await planRestore(world.services, world.member, { ...order, ...whole, placeId: to });
    return plan.changed.map(({ what }) => what).filter((what) => /Numbers|Dates/.test(what));
  };
  expect(await planned(placeId)).toEqual(["Numbers of issues", "Dates of issues"]);
  expect(await planned(await placeNamed(OWNED))).toEqual([]);
  expect(await planned(null)).toEqual([]);
  const report = await restoreInto(placeId, "winch three");
  expect(report.item.fullName).toBe(`${MAINTAINED}/winch-three`);
  const told = report.changed.map(({ what }) => what);
  expect(told).toEqual(expect.arrayContaining(["Numbers of issues", "Dates of issues"]));
  expect(report.mapped).toMatchObject([{ kind: "issue", from: "#7", to: "#1" }]);
});

test("a foreign place, or one in which the account may not create, is refused for restore and plan", async () => {
  await gitlab.control("members", { group: MAINTAINED, login: LOGIN, level: 30 });
  const offered = await listRestorePlaces(world.services, world.member, { platform: GITLAB });
  expect(offered.map(({ name }) => name)).toEqual([LOGIN, OWNED, BELOW]);
  for (const placeId of [await placeNamed(MAINTAINED), "group-999999", "plc_of_somebody_else"]) {
    const refused = { code: "err.not.found" };
    await expect(restoreInto(placeId, "winch four")).rejects.toMatchObject(refused);
    const plan = planRestore(world.services, world.member, { ...order, ...whole, placeId });
    await expect(plan).rejects.toMatchObject(refused);
  }
});
