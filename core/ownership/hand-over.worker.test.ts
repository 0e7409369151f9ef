import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { createFactorSecret, enableTwoFactor, findMember, verifyFactorCode } from "#core/accounts/index.ts";
import { codeOfStep, stepAt } from "#core/accounts/totp.ts";
import { listActions } from "#core/audit/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import {
  acceptInvitation,
  inviteMember,
  listMembers,
  type Member,
  removeInvitee,
  setOrganisationName,
} from "#core/organisations/index.ts";
import { createInvitationCode } from "#core/organisations/invitation-code.ts";
import { attachCard, billingAccount, reconcilePayments } from "#core/payments/index.ts";
import { fromBase32 } from "#tests/harness/accounts.ts";
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
import { buildServices } from "#workers/services.ts";
import { handOverOwnership } from "./index.ts";

const START = Date.UTC(2026, 10, 3, 9);

let world: ReturnType<typeof open>;
beforeEach(async () => {
  await emptyEverything();
  world = open();
});

function open() {
  const clock = { at: START, now: () => clock.at };
  const payments = memoryPayments(clock);
  const dropped: { userId: string; mayReturn: boolean | undefined; owner: string | null }[] = [];
  const s = {
    ...buildServices(env),
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    passwords: cheapPasswords,
    payments: payments.provider,
    queue: { send: async () => undefined },
    live: {
      publish: async () => undefined,
      disconnect: async (
        organisationId: string,
        whose: { userId?: string; sessionId?: string; mayReturn?: boolean },
      ) => {
        const owner = await ownerOf(organisationId);
        dropped.push({ userId: whose.userId ?? "", mayReturn: whose.mayReturn, owner });
      },
    },
  };
  return { clock, payments, dropped, s };
}

const ownerOf = (organisationId: string) =>
  env.DB.prepare("SELECT owner_user_id AS id FROM organisation WHERE id = ?")
    .bind(organisationId)
    .first<string>("id");

/** An owner with a password, and a member. */
async function pair(): Promise<{ owner: Member; heir: Member }> {
  const { s } = world;
  const owner = await withPassword(await makeOwner(s));
  await setOrganisationName(s, owner, { name: "Meridian" });
  return { owner, heir: await withPassword(await makeMember(s, owner, { github: "user" })) };
}

const give = (from: Member, to: Pick<Member, "userId">, more: { password?: string; code?: string } = {}) =>
  handOverOwnership(world.s, from, { targetId: to.userId, password: PASSWORD, ...more });

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "no error",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const rolesOf = async ({ organisationId }: Member) =>
  Object.fromEntries((await listMembers(world.s, organisationId)).map((each) => [each.userId, each]));

test("the heir becomes the owner, and the former owner an admin of every platform", async () => {
  const { owner, heir } = await pair();
  const token = await makeSession(world.s, owner);
  await give(owner, heir);
  expect(await ownerOf(owner.organisationId)).toBe(heir.userId);
  const now = await rolesOf(owner);
  expect(now[heir.userId]).toMatchObject({ role: "owner", platformRoles: {} });
  expect(now[owner.userId]!.role).toBe("member");
  expect(now[owner.userId]!.platformRoles).toEqual(
    Object.fromEntries([...world.s.connectors.keys()].map((id) => [id, "admin"])),
  );
  // The session of the former owner goes on with less.
  const still = await findMember(world.s, new Headers({ Authorization: token }));
  expect(still?.member.role).toBe("member");
  // Both lose the copies of their rights only after the new ones are written.
  expect(world.dropped.map(({ userId }) => userId).sort()).toEqual([owner.userId, heir.userId].sort());
  for (const { mayReturn, owner: then } of world.dropped)
    expect([mayReturn, then]).toEqual([true, heir.userId]);
});

test("both are told, and the trail says it", async () => {
  const { owner, heir } = await pair();
  await give(owner, heir);
  const { results } = await env.DB.prepare(
    "SELECT recipient FROM mail_outbox WHERE message = 'ownership-changed' ORDER BY recipient",
  ).all<{ recipient: string }>();
  expect(results.map(({ recipient }) => recipient)).toEqual([owner.email, heir.email].sort());
  const actions = await listActions(world.s, (await rolesOf(owner))[heir.userId]!, { page: 0, perPage: 10 });
  expect(JSON.stringify(actions)).toContain(heir.email);
});

test("only the owner with the right password hands over, and only to a member of theirs who has joined", async () => {
  const { owner, heir } = await pair();
  const stranger = await makeOwner(world.s);
  await makePlatform(world.s, owner);
  const { id: invited } = await inviteMember(world.s, owner, {
    email: "new@example.com",
    roles: ["organization_github_user"],
  });
  expect(await codeOf(give(heir, owner))).toBe("err.role.forbidden");
  expect(await codeOf(give(owner, heir, { password: "wrong" }))).toBe("err.password.wrong");
  expect(await codeOf(give(owner, stranger))).toBe("err.not.found");
  expect(await codeOf(give(owner, { userId: invited }))).toBe("err.not.found");
  expect(await codeOf(give(owner, owner))).toBe("err.not.found");
  expect(await ownerOf(owner.organisationId)).toBe(owner.userId);
  expect(world.dropped).toEqual([]);
});

test("without a password there is nothing to confirm with, and ten wrong ones are enough", async () => {
  const owner = await makeOwner(world.s);
  const heir = await makeMember(world.s, owner);
  expect(await codeOf(give(owner, heir))).toBe("err.password.absent");
  await withPassword(owner);
  for (let at = 0; at < 10; at++)
    expect(await codeOf(give(owner, heir, { password: "wrong" }))).toBe("err.password.wrong");
  expect(await codeOf(give(owner, heir))).toBe("err.credentials.limit");
  world.clock.at += 16 * MINUTE_MS;
  expect(await codeOf(give(owner, heir))).toBe("no error");
});

test("with a second factor a code is needed too, and a recovery code does as well, once", async () => {
  const { owner, heir } = await pair();
  const asking = { member: owner, sessionId: "" };
  await makeSession(world.s, owner);
  asking.sessionId = (await env.DB.prepare("SELECT id FROM session").first<string>("id"))!;
  const { secret } = await createFactorSecret(world.s, asking);
  const code = codeOfStep(fromBase32(secret), stepAt(world.clock.at));
  await verifyFactorCode(world.s, { ...asking, code });
  const { recoveryCodes } = await enableTwoFactor(world.s, asking);
  expect(await codeOf(give(owner, heir))).toBe("err.code.invalid");
  expect(await codeOf(give(owner, heir, { code: "000000" }))).toBe("err.code.invalid");
  expect(await codeOf(give(owner, heir, { password: "wrong", code: recoveryCodes[0]! }))).toBe(
    "err.password.wrong",
  );
  expect(await codeOf(give(owner, heir, { code: recoveryCodes[0]! }))).toBe("no error");
  const left = await env.DB.prepare(
    "SELECT count(*) AS n FROM recovery_code WHERE used_at IS NULL",
  ).first<number>("n");
  expect(left).toBe(recoveryCodes.length - 1);
});

test("of two handovers at once one counts, and there is one owner", async () => {
  const { owner, heir } = await pair();
  const other = await makeMember(world.s, owner);
  const answers = await Promise.all([give(owner, heir), give(owner, other)].map(codeOf));
  expect(answers.toSorted()).toEqual(["err.role.forbidden", "no error"]);
  const people = Object.values(await rolesOf(owner));
  expect(people.filter(({ role }) => role === "owner").map(({ userId }) => userId)).toEqual([
    await ownerOf(owner.organisationId),
  ]);
  const mails = await env.DB.prepare(
    "SELECT count(*) AS n FROM mail_outbox WHERE message = 'ownership-changed'",
  ).first<number>("n");
  expect(mails).toBe(2);
});

test("a handover and a removal of the heir at once leave an owner who is there", async () => {
  for (let round = 0; round < 4; round++) {
    const { owner, heir } = await pair();
    const [gave, removed] = await Promise.all([
      codeOf(give(owner, heir)),
      codeOf(removeInvitee(world.s, owner, { targetId: heir.userId })),
    ]);
    expect([gave, removed].filter((code) => code === "no error")).toHaveLength(1);
    const people = await rolesOf(owner);
    expect(people[(await ownerOf(owner.organisationId))!]?.role).toBe("owner");
  }
});

test("a closed account is handed over to nobody", async () => {
  const { owner, heir } = await pair();
  await env.DB.prepare("UPDATE organisation SET closed_at = 1 WHERE id = ?").bind(owner.organisationId).run();
  expect(await codeOf(give(owner, heir))).toBe("err.role.forbidden");
  await env.DB.prepare("UPDATE organisation SET closed_at = NULL").run();
  expect((await rolesOf(owner))[owner.userId]!.role).toBe("owner");
});

test("whoever owns another organisation cannot get a second one", async () => {
  const { owner, heir } = await pair();
  // An earlier release could leave such a row.
  await env.DB.prepare(
    "INSERT INTO organisation (id, name, owner_user_id, created_at) VALUES ('org_2', '', ?, 1)",
  )
    .bind(heir.userId)
    .run();
  expect(await codeOf(give(owner, heir))).toBe("err.owner.elsewhere");
  expect(await ownerOf(owner.organisationId)).toBe(owner.userId);
});

test("a former owner can be removed, signs up anew, and their invitations stay valid", async () => {
  const { owner, heir } = await pair();
  await makePlatform(world.s, owner);
  const roles = ["organization_github_user"];
  const { id } = await inviteMember(world.s, owner, { email: "new@example.com", roles });
  await give(owner, heir);
  const newOwner = (await rolesOf(owner))[heir.userId]!;
  await removeInvitee(world.s, newOwner, { targetId: owner.userId });
  expect(
    await env.DB.prepare("SELECT count(*) AS n FROM user WHERE email = ?")
      .bind(owner.email)
      .first<number>("n"),
  ).toBe(0);
  const again = await makeOwner(world.s, { email: owner.email });
  expect(again.organisationId).not.toBe(owner.organisationId);
  expect(await ownerOf(owner.organisationId)).toBe(heir.userId);
  const { code, codeHash } = await createInvitationCode(id);
  await env.DB.prepare("UPDATE invitation SET code_hash = ? WHERE id = ?").bind(codeHash, id).run();
  const joining = { email: "new@example.com", code, password: PASSWORD, name: "Nia", familyName: "Moss" };
  expect(await acceptInvitation(world.s, joining)).toMatchObject({ organisationId: owner.organisationId });
});

test("the money stays with the organisation, and the provider writes to the new owner", async () => {
  const { owner, heir } = await pair();
  await attachCard(world.s, owner, "pm_1");
  expect([...world.payments.emails.values()]).toEqual([owner.email]);
  await give(owner, heir);
  expect([...world.payments.emails.values()]).toEqual([heir.email]);
  expect((await billingAccount(world.s, owner.organisationId)).card?.last4).toBe("4242");
});

test("a handover that dies before the provider answered is finished by the cron", async () => {
  const { owner, heir } = await pair();
  await attachCard(world.s, owner, "pm_1");
  world.payments.hooks.interrupt = (call, when) => {
    if (call === "setEmail" && when === "before") throw new Error("the isolate is gone");
  };
  await give(owner, heir);
  const minutes = async (number: number) => {
    for (let minute = 0; minute < number; minute++) {
      world.clock.at += MINUTE_MS;
      await reconcilePayments(world.s);
    }
  };
  await minutes(5);
  expect([...world.payments.emails.values()]).toEqual([owner.email]);
  world.payments.hooks.interrupt = () => undefined;
  await minutes(4);
  expect([...world.payments.emails.values()]).toEqual([heir.email]);
});

test("of two handovers whose requests overtake each other the newer owner's address stays", async () => {
  const { owner, heir } = await pair();
  await attachCard(world.s, owner, "pm_1");
  let isNested = false;
  world.payments.hooks.interrupt = async (call, when) => {
    if (call !== "setEmail" || when !== "before" || isNested) return;
    isNested = true;
    // The address of the heir is on its way when the heir gives everything back.
    await give((await rolesOf(owner))[heir.userId]!, owner);
  };
  await give(owner, heir);
  expect(await ownerOf(owner.organisationId)).toBe(owner.userId);
  expect([...world.payments.emails.values()]).toEqual([owner.email]);
  world.clock.at += DAY_MS;
  const open = await env.DB.prepare(
    "SELECT count(*) AS n FROM billing_command WHERE kind = 'owner-email' AND state = 'open'",
  ).first<number>("n");
  expect(open).toBe(0);
});
