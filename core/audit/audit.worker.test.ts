import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { subscription } from "#core/database/control/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { auditStatement, exportActions, listActions, recordAction, sessionOccasion } from "./index.ts";

function world() {
  const clock = { at: Date.UTC(2026, 10, 3, 9), now: () => clock.at };
  const deps = { control: controlDatabase(env), clock, ids: randomIds };
  const organisationId = randomIds.next("organisation");
  const owner = { userId: "usr_own", organisationId, role: "owner" as const, platformRoles: {} };
  const by = { organisationId, userId: owner.userId, userName: "Ann Example" };
  return { clock, deps, organisationId, owner, by };
}

test("entries are listed newest first, in pages or by search, without gaps or duplicates", async () => {
  const { clock, deps, owner, by } = world();
  for (let i = 0; i < 120; i++) {
    // Three entries share a timestamp, so that only their ids order them.
    if (i % 3 === 0) clock.at += 1_000;
    await recordAction(deps, { ...by, action: `deed-${i}` });
  }
  const pages = [];
  for (let page = 0; page < 3; page++) {
    pages.push(await listActions(deps, owner, { page, perPage: 50 }));
  }
  expect(pages.map(({ actions }) => actions.length)).toEqual([50, 50, 20]);
  expect(pages.map(({ total }) => total)).toEqual([120, 120, 120]);
  const numbered = pages.flatMap(({ actions }) => actions);
  expect(new Set(numbered.map(({ id }) => id)).size).toBe(120);
  expect(numbered.map(({ date }) => date)).toEqual(
    numbered.map(({ date }) => date).toSorted((a, b) => b - a),
  );

  const sought = [];
  let after: string | null = null;
  do {
    const view = await listActions(deps, owner, { page: 0, perPage: 50, after });
    sought.push(...view.actions);
    after = view.next;
    // Entries added meanwhile shift no page.
    await recordAction(deps, { ...by, action: "meanwhile" });
  } while (after !== null);
  expect(sought.map(({ id }) => id)).toEqual(numbered.map(({ id }) => id));
});

test("an occasion is recorded once per organisation, even concurrently", async () => {
  const { deps, owner, by } = world();
  const other = world();
  const entry = { ...by, action: "login", occasion: sessionOccasion("login", "ses_1") };
  await Promise.all([recordAction(deps, entry), recordAction(deps, entry), recordAction(deps, entry)]);
  await recordAction(deps, { ...by, action: "logout", occasion: sessionOccasion("logout", "ses_1") });
  await recordAction(deps, { ...entry, organisationId: other.organisationId });
  const { actions, total } = await listActions(deps, owner, { page: 0, perPage: 50 });
  expect(actions.map(({ type }) => type).toSorted()).toEqual(["login", "logout"]);
  expect(total).toBe(2);
  expect((await listActions(deps, other.owner, { page: 0, perPage: 50 })).total).toBe(1);
});

test("an entry is part of its action's batch: both fail together, and a condition can omit the entry", async () => {
  const { deps, owner, by } = world();
  const broken = deps.control.$client.prepare("insert into organisation (id) values ('half')");
  const written = auditStatement(deps, { ...by, action: "falls" }).toSQL();
  const statement = deps.control.$client.prepare(written.sql).bind(...written.params);
  await expect(deps.control.$client.batch([statement, broken])).rejects.toThrow(/NOT NULL/);
  await deps.control.batch([
    auditStatement(deps, { ...by, action: "kept-out" }, sql`1 = 2`),
    auditStatement(deps, { ...by, action: "let-in" }, sql`1 = 1`),
  ]);
  const { actions } = await listActions(deps, owner, { page: 0, perPage: 50 });
  expect(actions.map(({ type }) => type)).toEqual(["let-in"]);
});

/** Sells the organisation a plan of one platform. */
const sell = ({ deps, organisationId }: ReturnType<typeof world>, plan: "essential" | "pro") =>
  deps.control.insert(subscription).values({
    id: randomIds.next("subscription"),
    organisationId,
    platform: "github",
    plan,
    quantity: 10,
    startedAt: 0,
    endsAt: null,
  });

test("[B-097] without the Pro plan on any platform, an entry about a platform has no text, and no filter finds it", async () => {
  const here = world();
  const { deps, owner, by } = here;
  await recordAction(deps, { ...by, action: "add-item", platform: "github", subject: "octo/secret" });
  await recordAction(deps, { ...by, action: "login" });
  await sell(here, "essential");
  const { actions } = await listActions(deps, owner, { page: 0, perPage: 50 });
  const hidden = actions.find(({ platform }) => platform !== null)!;
  expect(hidden).toMatchObject({ isHidden: true, isProPlanAction: false, type: "", text: "", name: "" });
  expect(hidden).toMatchObject({ subject: null, ip: null });
  expect(actions.find(({ type }) => type === "login")).toMatchObject({ isHidden: false, text: "Signed in" });
  for (const filter of [
    { text: "secret" },
    { group: "backups" },
    { userId: owner.userId, platform: "github" },
  ] as const) {
    expect((await listActions(deps, owner, { page: 0, perPage: 50, ...filter })).total).toBe(0);
  }
  await expect(exportActions(deps, owner, {})).rejects.toThrow(AppError);
});

test("an export has every entry that the filter finds, in pages", async () => {
  const here = world();
  const { clock, deps, owner, by } = here;
  await sell(here, "pro");
  for (let at = 0; at < 3; at++) {
    clock.at += 1_000;
    await recordAction(deps, { ...by, action: "add-item", platform: "github", subject: `octo/${at}` });
  }
  const until = clock.at;
  const found = [];
  for await (const page of await exportActions(deps, owner, { group: "backups", until })) found.push(...page);
  expect(found.map(({ subject }) => subject)).toEqual(["octo/1", "octo/0"]);
});

test("the owner sees all entries, a member their own and those of their platforms", async () => {
  const here = world();
  const { deps, organisationId, owner, by } = here;
  await sell(here, "pro");
  await recordAction(deps, { ...by, action: "invite-user", subject: "bo@example.com" });
  await recordAction(deps, { ...by, action: "add", platform: "github", subject: "octo/api" });
  await recordAction(deps, { ...by, action: "add", platform: "trello" });
  await recordAction(deps, { organisationId, userId: "usr_bo", userName: "Bo Small", action: "login" });
  const platformRoles = { github: "user" as const };
  const bo = { userId: "usr_bo", organisationId, role: "member" as const, platformRoles };
  const seenBy = async (member: Parameters<typeof listActions>[1]) =>
    (await listActions(deps, member, { page: 0, perPage: 50 })).actions
      .map(({ type, platform }) => `${type} ${platform}`)
      .toSorted();
  expect(await seenBy(owner)).toEqual(["add github", "add trello", "invite-user null", "login null"]);
  expect(await seenBy(bo)).toEqual(["add github", "login null"]);
  expect(await seenBy({ ...bo, userId: "usr_none", platformRoles: {} })).toEqual([]);
});

test("an invalid cursor is refused", async () => {
  const { deps, owner } = world();
  for (const after of ["x", "1", "1.aud_", "1.aud_x' or 1=1 --", "99999999999999999999.aud_x"]) {
    const refusal = await listActions(deps, owner, { page: 0, perPage: 50, after }).catch((error) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal.code).toBe("err.request.invalid");
  }
});

test("each group tells how many lines it has under the other filters", async () => {
  const here = world();
  const { deps, owner, by } = here;
  for (const action of ["invite-user", "invite-user", "login", "an-unknown-deed"])
    await recordAction(deps, { ...by, action });
  await recordAction(deps, { ...by, action: "login", outcome: "failed" });
  await recordAction(deps, { ...by, userName: "Bea", action: "backup-now", platform: "github" });
  const ask = async (question: Parameters<typeof listActions>[2] | object) => {
    const { counts, total } = await listActions(deps, owner, { page: 0, perPage: 50, ...question });
    const present = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    return { present, total };
  };

  // Without the Pro plan, no group counts lines about an app: what they say is hidden.
  expect(await ask({})).toEqual({ present: { all: 6, people: 2, "sign-ins": 2, failed: 1 }, total: 6 });
  await sell(here, "pro");
  const all = { all: 6, people: 2, "sign-ins": 2, failed: 1, backups: 1 };
  expect(await ask({})).toEqual({ present: all, total: 6 });
  expect(await ask({ group: "people" })).toEqual({ present: all, total: 2 });
  expect(await ask({ group: "failed" })).toEqual({ present: all, total: 1 });
  expect(await ask({ text: "bea" })).toEqual({ present: { all: 1, backups: 1 }, total: 1 });
});
