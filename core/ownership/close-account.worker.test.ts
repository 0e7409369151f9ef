import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import { createSession, findMember, signIn } from "#core/accounts/index.ts";
import { signInSchema } from "#core/accounts/password.schema.ts";
import { checkAudit, sealAudit } from "#core/audit/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { inviteMember, listMembers, type Member, setOrganisationName } from "#core/organisations/index.ts";
import { attachCard, buy, reconcilePayments, saveCompany, syncCustomer } from "#core/payments/index.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { memoryPayments } from "#tests/harness/memory-payments.ts";
import {
  cheapPasswords,
  makeMember,
  makeOwner,
  makePlatform,
  makeSession,
  PASSWORD,
  withPassword,
} from "#tests/harness/people.ts";
import { handlers } from "#workers/queues/handlers.ts";
import { buildServices } from "#workers/services.ts";
import {
  closeAccount,
  endClosedSubscriptions,
  queueClosures,
  removeClosed,
  warnOfClosures,
} from "./index.ts";

const START = Date.UTC(2026, 10, 3, 9);
const COMPANY = { name: "Meridian", country: "US", city: "Austin", line1: "1", postal_code: "78701" };
const GITHUB = { platform: "github", priceId: "github.essential.month", quantity: 10, quote: null };

let world: ReturnType<typeof open>;
beforeEach(async () => {
  await emptyEverything();
  world = open();
});

function open() {
  const clock = { at: START, now: () => clock.at };
  const payments = memoryPayments(clock);
  const dropped: string[] = [];
  const queued: JobMessage[] = [];
  const s = {
    ...buildServices(env),
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    passwords: cheapPasswords,
    payments: payments.provider,
    queue: { send: async (jobs: readonly JobMessage[]) => void queued.push(...jobs) },
    live: {
      publish: async () => undefined,
      disconnect: async (_: string, whose: { userId?: string; mayReturn?: boolean }) => {
        if (whose.userId && !whose.mayReturn) dropped.push(whose.userId);
      },
    },
  };
  return { clock, payments, dropped, queued, s };
}

const count = async (text: string, ...values: string[]) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${text}`)
    .bind(...values)
    .first<number>("n")) ?? 0;

/** An owner with a running subscription of GitHub, a trial of Trello, and a colleague. */
async function company(): Promise<{ owner: Member; colleague: Member }> {
  const { s } = world;
  const owner = await withPassword(await makeOwner(s));
  await setOrganisationName(s, owner, { name: "Meridian" });
  const colleague = await withPassword(await makeMember(s, owner, { github: "admin" }));
  await makePlatform(s, owner, { platform: "trello", plan: "trial", endsAt: START + 14 * DAY_MS });
  await attachCard(s, owner, "pm_1");
  await saveCompany(s, owner, COMPANY, { needsCard: false });
  await buy(s, owner, { company: null, items: [GITHUB], code: null });
  return { owner, colleague };
}

const close = (owner: Member, more: { email?: string; password?: string } = {}) =>
  closeAccount(world.s, owner, { email: owner.email, password: PASSWORD, ...more });

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "no error",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const enter = ({ email }: Member) =>
  signIn(world.s, signInSchema.parse({ email, password: PASSWORD, rememberMe: false }));

const isActive = async ({ organisationId }: Member, platform: string) =>
  (await entitlementsOf(world.s, organisationId, platform)).isActive;

/** The states of everything at the payment provider. */
const atProvider = () =>
  [...world.payments.subscriptions.values()].map(({ subscription }) => subscription.state);

const mailsOf = (message: string) => count("mail_outbox WHERE message = ?", message);

/** Lets the hours pass, with what the crons do in them, and what they queue. */
async function pass(ms: number, step = HOUR_MS): Promise<void> {
  const until = world.clock.at + ms;
  while (world.clock.at < until) {
    world.clock.at += step;
    await reconcilePayments(world.s);
    await endClosedSubscriptions(world.s);
    await warnOfClosures(world.s);
    await queueClosures(world.s);
    for (let message = world.queued.shift(); message; message = world.queued.shift()) {
      if (message.job === "remove-closed" || message.job === "empty-removed-connection")
        await (handlers[message.job] as (s: unknown, payload: unknown) => Promise<unknown>)(
          world.s,
          message.payload,
        );
    }
  }
}

test("closing ends everybody's access and every right at once, and the subscription at the provider", async () => {
  const { owner, colleague } = await company();
  await inviteMember(world.s, owner, { email: "new@example.com", roles: ["organization_trello_user"] });
  const tokens = [await makeSession(world.s, owner), await makeSession(world.s, colleague)];
  expect([await isActive(owner, "github"), await isActive(owner, "trello")]).toEqual([true, true]);
  const { removalAt } = await close(owner);
  expect(removalAt).toBe(START + 30 * DAY_MS);
  for (const Authorization of tokens)
    expect(await findMember(world.s, new Headers({ Authorization }))).toBeNull();
  expect(await count("session")).toBe(0);
  // A sign-in that was under way may write its session after that.
  const late = await makeSession(world.s, owner);
  expect(await findMember(world.s, new Headers({ Authorization: late }))).toBeNull();
  await env.DB.prepare("DELETE FROM session").run();
  expect(world.dropped.sort()).toEqual([owner.userId, colleague.userId].sort());
  expect(atProvider()).toEqual(["canceled"]);
  expect([await isActive(owner, "github"), await isActive(owner, "trello")]).toEqual([false, false]);
  expect(await count("invitation")).toBe(0);
  // Signed links and mails about the account ask who is a member.
  expect(await listMembers(world.s, owner.organisationId)).toEqual([]);
  expect(await count("audit_entry WHERE action = 'close-account'")).toBe(1);
  expect(await mailsOf("account-closed")).toBe(1);
  expect(world.payments.charges.filter(({ isPaid }) => isPaid)).toHaveLength(1);
});

test("only the owner closes, with the address and the password, and of two at once one counts", async () => {
  const { owner, colleague } = await company();
  expect(await codeOf(close(colleague))).toBe("err.role.forbidden");
  expect(await codeOf(close(owner, { email: "other@example.com" }))).toBe("err.request.invalid");
  expect(await codeOf(close(owner, { password: "wrong" }))).toBe("err.password.wrong");
  expect(atProvider()).toEqual(["active"]);
  const answers = await Promise.all([codeOf(close(owner)), codeOf(close(owner))]);
  expect(answers.toSorted()).toEqual(["err.role.forbidden", "no error"]);
  expect(await count("closure")).toBe(1);
  expect(await mailsOf("account-closed")).toBe(1);
});

test("the owner opens it again by signing in, with everybody and the trial but without the subscription", async () => {
  const { owner, colleague } = await company();
  await close(owner);
  expect(await codeOf(enter(colleague))).toBe("err.account.closed");
  // A frame signs its person in by itself, which is no decision.
  const silent = { userId: owner.userId, isRemembered: false, mayReopen: false };
  expect(await codeOf(createSession(world.s, silent))).toBe("err.account.closed");
  world.clock.at += DAY_MS;
  expect(await enter(owner)).toMatchObject({ kind: "session", member: { role: "owner" } });
  expect(await enter(colleague)).toMatchObject({ member: { platformRoles: { github: "admin" } } });
  expect([await isActive(owner, "github"), await isActive(owner, "trello")]).toEqual([false, true]);
  expect(await mailsOf("account-reopened")).toBe(1);
  expect(await count("audit_entry WHERE action = 'reopen-account'")).toBe(1);
  // It is not removed, and can be bought and closed again.
  await pass(40 * DAY_MS, DAY_MS);
  expect(await count("organisation")).toBe(1);
  await buy(world.s, owner, { company: null, items: [GITHUB], code: null });
  expect(await isActive(owner, "github")).toBe(true);
  await close(owner);
  expect(atProvider()).toEqual(["canceled", "canceled"]);
});

test("when the provider is away the account is closed all the same, and the cron ends what runs", async () => {
  const { owner } = await company();
  world.payments.hooks.interrupt = (call) => {
    if (call === "endSubscription") throw new PaymentError("unavailable", "Away.");
  };
  await close(owner);
  expect(atProvider()).toEqual(["active"]);
  expect(await isActive(owner, "github")).toBe(false);
  await pass(10 * MINUTE_MS, MINUTE_MS);
  expect(atProvider()).toEqual(["active"]);
  world.payments.hooks.interrupt = () => undefined;
  await pass(MINUTE_MS, MINUTE_MS);
  expect(atProvider()).toEqual(["canceled"]);
});

test("what a failed renewal owes is void afterwards", async () => {
  const { owner } = await company();
  world.clock.at += 31 * DAY_MS;
  world.payments.failRenewal([...world.payments.subscriptions.keys()][0]!);
  await syncCustomer(world.s, owner.organisationId);
  expect([...world.payments.invoices.values()].map(({ state }) => state)).toContain("open");
  await close(owner);
  expect([...world.payments.invoices.values()].map(({ state }) => state)).not.toContain("open");
  expect(atProvider()).toEqual(["canceled"]);
});

test("what the owner buys after opening the account again stays, even while the cron looks for what to end", async () => {
  const { owner } = await company();
  await close(owner);
  world.clock.at += MINUTE_MS;
  let isBack = false;
  world.payments.hooks.interrupt = async () => {
    if (isBack) return;
    isBack = true;
    await enter(owner);
    await buy(world.s, owner, { company: null, items: [GITHUB], code: null });
  };
  await endClosedSubscriptions(world.s);
  expect([isBack, atProvider()]).toEqual([true, ["canceled", "active"]]);
  expect(await isActive(owner, "github")).toBe(true);
});

test("a purchase that was under way outlives the account by minutes at most", async () => {
  const { owner } = await company();
  let isClosed = false;
  world.payments.hooks.interrupt = async (call, when) => {
    if (call !== "subscribe" || when !== "before" || isClosed) return;
    isClosed = true;
    await close(owner);
  };
  const TRELLO = { platform: "trello", priceId: "trello.essential.month", quantity: 10, quote: null };
  const answers = await buy(world.s, owner, { company: null, items: [TRELLO], code: null });
  expect(answers.map(({ code }) => code)).toEqual(["err.account.closed"]);
  world.payments.hooks.interrupt = () => undefined;
  await pass(8 * MINUTE_MS, MINUTE_MS);
  expect(atProvider().filter((state) => !["canceled", "incomplete_expired"].includes(state))).toEqual([]);
  // The first purchase only.
  expect(world.payments.charges).toHaveLength(1);
});

/** An item with a version and an object, of the organisation's Trello account. */
async function plant({ organisationId }: Member): Promise<void> {
  const connection = await env.DB.prepare("SELECT id FROM connection WHERE organisation_id = ?")
    .bind(organisationId)
    .first<string>("id");
  await env.LEDGER_US.batch([
    env.LEDGER_US.prepare(
      `INSERT INTO item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name,
         name_folded, visibility, details, status, is_daily, created_at)
       VALUES ('itm_1', ?, ?, 'trello', 'board', 'b', 'a', 'a', 'a', 'private', '{}', 'backuped', 1, 1)`,
    ).bind(organisationId, connection),
    env.LEDGER_US.prepare(
      `INSERT INTO snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes, new_bytes,
         verify_state, expires_at) VALUES ('snp_1', ?, 'itm_1', 'run_1', 1, 'm', 1, 1, 'verified', 9e15)`,
    ).bind(organisationId),
  ]);
}

/** Every table and column of the control database that has one of these values. */
async function traces(values: readonly string[]): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT m.name AS t, p.name AS c FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE '\\_%' ESCAPE '\\' AND m.name NOT LIKE 'sqlite%'",
  ).all<{ t: string; c: string }>();
  const found: string[] = [];
  for (const { t, c } of results)
    for (const value of values)
      if ((await count(`"${t}" WHERE instr("${c}", ?) > 0`, value)) > 0) found.push(`${t}.${c}`);
  return [...new Set(found)].toSorted();
}

test("after two warnings everything is removed, and what stays names nobody", async () => {
  const { owner, colleague } = await company();
  const stranger = await makeOwner(world.s);
  await plant(owner);
  await env.AVATARS.put(`${colleague.userId}/ava_1`, "photo");
  const [customer] = [...world.payments.customers.keys()];
  await close(owner);
  await pass(17 * DAY_MS, DAY_MS);
  expect(await mailsOf("account-closed")).toBe(2);
  await pass(12 * DAY_MS, DAY_MS);
  expect(await mailsOf("account-closed")).toBe(3);
  expect(await count("user WHERE id = ?", owner.userId)).toBe(1);
  expect((await env.LEDGER_US.prepare("SELECT id FROM item").all()).results).toHaveLength(1);
  await pass(3 * DAY_MS, 12 * HOUR_MS);
  expect((await env.LEDGER_US.prepare("SELECT id FROM item").all()).results).toEqual([]);
  expect((await env.LEDGER_US.prepare("SELECT id FROM snapshot").all()).results).toEqual([]);
  expect(await env.AVATARS.head(`${colleague.userId}/ava_1`)).toBeNull();
  const names = [owner.userId, owner.email, colleague.userId, colleague.email, "Meridian"];
  expect(await traces(names)).toEqual([]);
  expect(await traces([owner.organisationId])).toEqual([
    "audit_entry.organisation_id",
    "closure.organisation_id",
  ]);
  const tomb = await env.DB.prepare("SELECT state, stripe_customer_id AS customer FROM closure").first();
  expect(tomb).toEqual({ state: "removed", customer });
  await sealAudit(world.s);
  expect(await checkAudit(world.s)).toMatchObject({ kind: "whole", waiting: 0 });
  expect(await count("organisation WHERE id = ?", stranger.organisationId)).toBe(1);
  expect(await codeOf(enter(owner))).toBe("err.credentials.wrong");
  // The address is free again.
  expect((await makeOwner(world.s, { email: owner.email })).organisationId).not.toBe(owner.organisationId);
});

test("once the removal has begun nobody opens the account, and it waits for the provider", async () => {
  const { owner } = await company();
  await plant(owner);
  await close(owner);
  await pass(29 * DAY_MS, DAY_MS);
  world.clock.at = START + 31 * DAY_MS;
  const closureId = (await env.DB.prepare("SELECT id FROM closure").first<string>("id"))!;
  world.payments.hooks.interrupt = () => {
    throw new PaymentError("unavailable", "Away.");
  };
  await expect(removeClosed(world.s, { closureId })).rejects.toThrow("Away.");
  expect(await count("closure WHERE state = 'closed'")).toBe(1);
  world.payments.hooks.interrupt = () => undefined;
  await removeClosed(world.s, { closureId });
  expect(await codeOf(enter(owner))).toBe("err.account.closing");
});

test("a closed account is not removed before both warnings, however late they are", async () => {
  const { owner } = await company();
  await close(owner);
  world.clock.at = START + 60 * DAY_MS;
  await warnOfClosures(world.s);
  await queueClosures(world.s);
  expect(world.queued.filter(({ job }) => job === "remove-closed")).toEqual([]);
  await pass(13 * DAY_MS, DAY_MS);
  expect(await count("organisation WHERE id = ?", owner.organisationId)).toBe(1);
  await pass(3 * DAY_MS, DAY_MS);
  expect(await count("organisation WHERE id = ?", owner.organisationId)).toBe(0);
});

test("a removal that dies anywhere is finished by the next one", async () => {
  for (const at of [1, 2, 3, 4, 5]) {
    await emptyEverything();
    world = open();
    const { owner } = await company();
    await plant(owner);
    await close(owner);
    await pass(29 * DAY_MS, DAY_MS);
    world.clock.at = START + 31 * DAY_MS;
    const closureId = (await env.DB.prepare("SELECT id FROM closure").first<string>("id"))!;
    let left = at;
    const dying = { ...world.s, clock: { now: () => (left-- > 0 ? world.clock.at : dead()) } };
    await removeClosed(dying, { closureId }).catch(() => undefined);
    await pass(DAY_MS);
    expect(await count("organisation WHERE id = ?", owner.organisationId)).toBe(0);
  }
});

function dead(): never {
  throw new Error("the isolate is gone");
}
