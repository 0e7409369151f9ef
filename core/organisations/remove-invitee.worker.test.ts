import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { findMember } from "#core/accounts/index.ts";
import { listActions } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { addPhoto } from "#core/profiles/index.ts";
import { formatSocketOwner, SOCKET_HEADER } from "#durable-objects/live-socket.ts";
import { accountHub } from "#durable-objects/stubs.ts";
import { listenTo } from "#tests/harness/live-listener.ts";
import { freshEmail, makeMember, makeOwner, makePlatform, makeSession } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { inviteMember, listInvitees, listMembers, removeInvitee, setOrganisationName } from "./index.ts";

const s = { ...buildServices(env), queue: { send: async () => {} } };
const ROLES = ["organization_github_user"];
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function organisation() {
  const owner = await makeOwner(s);
  await setOrganisationName(s, owner, { name: "Meridian" });
  await makePlatform(s, owner);
  return owner;
}

const codeOf = async (attempt: Promise<unknown>) =>
  attempt.then(
    () => "no error",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

/** Returns every row of the control database that refers to the person, by table. */
async function traces(userId: string) {
  const { results } = await env.DB.prepare(
    "SELECT m.name AS t, p.name AS c FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE '\\_%' ESCAPE '\\' AND m.name NOT LIKE 'sqlite%'",
  ).all<{ t: string; c: string }>();
  const found: string[] = [];
  for (const { t, c } of results) {
    const row = await env.DB.prepare(`SELECT count(*) AS n FROM "${t}" WHERE "${c}" = ?`)
      .bind(userId)
      .first<{ n: number }>();
    if (row!.n > 0) found.push(`${t}.${c}`);
  }
  return found.toSorted();
}

/** Gives the person a row in every table that can hold one. */
async function leaveTraces(userId: string, organisationId: string) {
  const insert = (text: string, ...values: (string | number)[]) => env.DB.prepare(text).bind(...values);
  await env.DB.batch([
    insert(
      "INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES (?, ?, 'credential', ?, 1, 1)",
      `acc-${userId}`,
      "x",
      userId,
    ),
    insert("INSERT INTO two_factor (user_id, sealed_secret, created_at) VALUES (?, 's', 1)", userId),
    insert(
      "INSERT INTO recovery_code (code_hash, user_id, created_at) VALUES (?, ?, 1)",
      `h-${userId}`,
      userId,
    ),
    insert("INSERT INTO password_reset (user_id, code_hash, expires_at) VALUES (?, 'h', 1)", userId),
    insert(
      "INSERT INTO sign_in_challenge (token_hash, user_id, is_remembered, expires_at) VALUES (?, ?, 0, 1)",
      `c-${userId}`,
      userId,
    ),
    insert(
      "INSERT INTO report_preference (user_id, is_active, frequency, time_zone, updated_at) VALUES (?, 1, 'daily', 'UTC', 1)",
      userId,
    ),
    insert(
      `INSERT INTO authorisation (state_hash, organisation_id, user_id, platform, region, sealed_code_verifier, expires_at)
       VALUES (?, ?, ?, 'github', 'US', 'v', 1)`,
      `a-${userId}`,
      organisationId,
      userId,
    ),
    insert(
      "INSERT INTO audit_entry (id, organisation_id, user_id, user_name, action, created_at) VALUES (?, ?, ?, 'Bo Small', 'login', 1)",
      `aud_${userId}`,
      organisationId,
      userId,
    ),
  ]);
}

async function openSocket(organisationId: string, userId: string) {
  const owner = formatSocketOwner({ userId, sessionId: `ses-${userId}`, platforms: "all" });
  const headers = { upgrade: "websocket", [SOCKET_HEADER]: owner };
  const listener = listenTo(
    await accountHub(env, organisationId).fetch("https://account-hub/ws", { headers }),
  );
  await listener.until(() => listener.heard.length > 0);
  return listener;
}

test("[A-402] removing a member ends their session and sockets at once and keeps only their audit entries", async () => {
  const owner = await organisation();
  const { organisationId } = owner;
  const bo = await makeMember(s, owner, { github: "admin" });
  const cy = await makeMember(s, owner, { github: "user" });
  for (const { userId } of [bo, cy]) await leaveTraces(userId, organisationId);
  const headers = new Headers({ Authorization: await makeSession(s, bo) });
  const headersOfCy = new Headers({ Authorization: await makeSession(s, cy) });
  await addPhoto(s, bo, { dataUrl: PIXEL });
  await addPhoto(s, cy, { dataUrl: PIXEL });
  const [screen, otherScreen] = [
    await openSocket(organisationId, bo.userId),
    await openSocket(organisationId, cy.userId),
  ];
  const before = await traces(cy.userId);
  expect(before).toEqual(await traces(bo.userId));
  expect(before).toContain("report_preference.user_id");
  expect((await findMember(s, headers))?.member.userId).toBe(bo.userId);

  await removeInvitee(s, owner, { targetId: bo.userId });
  await screen.until(() => screen.closedWith !== null);
  expect(screen.closedWith).toBe(4401);
  expect(await findMember(s, headers)).toBeNull();
  expect(await traces(bo.userId)).toEqual(["audit_entry.user_id"]);
  expect((await env.AVATARS.list({ prefix: `${bo.userId}/` })).objects).toEqual([]);

  expect(otherScreen.closedWith).toBeNull();
  expect(await traces(cy.userId)).toEqual(before);
  expect((await findMember(s, headersOfCy))?.member.userId).toBe(cy.userId);
  expect((await env.AVATARS.list({ prefix: `${cy.userId}/` })).objects).toHaveLength(1);
  const { actions } = await listActions(s, owner, { page: 0, perPage: 50 });
  expect(actions.map(({ type, name, subject }) => `${type} ${name} ${subject}`)).toContain(
    `remove-user Ann Example ${bo.email}`,
  );
  expect((await listInvitees(s, owner)).invitees.map(({ sub }) => sub)).toEqual([cy.userId]);
});

test("the removed address can be invited or sign up again", async () => {
  const owner = await organisation();
  const bo = await makeMember(s, owner);
  await removeInvitee(s, owner, { targetId: bo.userId });
  const { id } = await inviteMember(s, owner, { email: bo.email, roles: ROLES });
  await removeInvitee(s, owner, { targetId: id });
  expect((await listInvitees(s, owner)).invitationsLeft).toBe(10);
  const again = await makeOwner(s, { email: bo.email });
  expect(again.organisationId).not.toBe(owner.organisationId);
});

test("neither the owner nor a member of another organisation can be removed", async () => {
  const owner = await organisation();
  const other = await organisation();
  const foreigner = await makeMember(s, other);
  const invitation = await inviteMember(s, other, { email: freshEmail(), roles: ROLES });
  for (const targetId of [owner.userId, other.userId, foreigner.userId, invitation.id, "nobody"]) {
    expect(await codeOf(removeInvitee(s, owner, { targetId }))).toBe("err.not.found");
  }
  expect(await codeOf(removeInvitee(s, foreigner, { targetId: other.userId }))).toBe("err.role.forbidden");
  expect(await listMembers(s, other.organisationId)).toHaveLength(2);
  expect((await listInvitees(s, other)).invitees).toHaveLength(2);
});

test("two concurrent removals remove the person once", async () => {
  const owner = await organisation();
  const bo = await makeMember(s, owner);
  const codes = await Promise.all(
    [1, 2, 3].map(() => codeOf(removeInvitee(s, owner, { targetId: bo.userId }))),
  );
  expect(codes).toContain("no error");
  for (const code of codes) expect(["no error", "err.not.found"]).toContain(code);
  const { actions } = await listActions(s, owner, { page: 0, perPage: 50 });
  expect(actions.filter(({ type }) => type === "remove-user")).toHaveLength(1);
});

test("who became the owner after the look is not removed, and keeps the photo and the open screens", async () => {
  const owner = await organisation();
  const bo = await makeMember(s, owner);
  await addPhoto(s, bo, { dataUrl: PIXEL });
  // The look is a batch, too.
  let hasLooked = false;
  const control = new Proxy(s.control, {
    get: (target, name, receiver) =>
      name !== "batch"
        ? Reflect.get(target, name, receiver)
        : async (statements: Parameters<typeof target.batch>[0]) => {
            if (!hasLooked) {
              hasLooked = true;
              return target.batch(statements);
            }
            await env.DB.prepare("UPDATE member SET role = 'owner' WHERE user_id = ?").bind(bo.userId).run();
            return target.batch(statements);
          },
  });
  const dropped: string[] = [];
  const live = { ...s.live, disconnect: async (organisationId: string) => void dropped.push(organisationId) };
  expect(await codeOf(removeInvitee({ ...s, control, live }, owner, { targetId: bo.userId }))).toBe(
    "err.not.found",
  );
  expect(dropped).toEqual([]);
  expect((await env.AVATARS.list({ prefix: `${bo.userId}/` })).objects).toHaveLength(1);
});
