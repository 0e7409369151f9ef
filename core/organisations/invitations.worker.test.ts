import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listActions } from "#core/audit/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { type MessageName, sendMail } from "#core/mail/index.ts";
import { freshEmail, makeMember, makeOwner, makePlatform } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import {
  acceptInvitation,
  inviteMember,
  listInvitees,
  listMembers,
  type Member,
  removeInvitee,
  setAccountType,
  setOrganisationName,
  updateInvitee,
} from "./index.ts";

const ADMIN = ["organization_github_admin"];
const USER = ["organization_github_user"];
const PASSWORD = 'Blue7$kettle"River';

/** Services with a clock that the test moves, a queue that it delivers and e-mails that it reads. */
function world() {
  const clock = { at: Date.UTC(2026, 10, 3, 9), now: () => clock.at };
  const jobs: JobMessage[] = [];
  const mails: { to: string; subject: string; text: string }[] = [];
  const disconnected: unknown[] = [];
  const services = {
    ...buildServices(env),
    clock,
    queue: { send: async (messages: readonly JobMessage[]) => void jobs.push(...messages) },
    live: {
      publish: async () => {},
      disconnect: async (_organisationId: string, whose: unknown) => void disconnected.push(whose),
    },
    mailer: { send: async (mail: { to: string; subject: string; text: string }) => void mails.push(mail) },
  };
  return { s: services, clock, jobs, mails, disconnected };
}
type World = ReturnType<typeof world>;

async function named(w: World, options: Parameters<typeof makePlatform>[2] = {}): Promise<Member> {
  const owner = await makeOwner(w.s);
  await setOrganisationName(w.s, owner, { name: "Meridian" });
  await makePlatform(w.s, owner, options);
  w.clock.at += 1;
  return owner;
}

const codeOf = async (attempt: Promise<unknown>) =>
  attempt.then(
    () => "no error",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

async function deliver(w: World) {
  for (const { payload } of w.jobs.splice(0)) await sendMail(w.s, (payload as { mailId: string }).mailId);
}

const codeIn = (text: string) => /inv_[0-9a-z]+\.[A-Za-z0-9_-]{43}/.exec(text)![0];

/** Invites an address and reads the code from the e-mail. */
async function invited(w: World, owner: Member, roles = ADMIN) {
  const email = freshEmail("bo");
  const { id } = await inviteMember(w.s, owner, { email, roles });
  await deliver(w);
  const mail = w.mails.find(({ to }) => to === email)!;
  return { id, email, code: codeIn(mail.text) };
}

const joining = (invitation: { email: string; code: string }) => ({
  email: invitation.email,
  code: invitation.code,
  password: PASSWORD,
  name: "Bo",
  familyName: "Small",
});

async function messagesTo(email: string) {
  const { results } = await env.DB.prepare("SELECT message FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .all<{ message: MessageName }>();
  return results.map(({ message }) => message);
}

test("[A-215] [A-216] an invitation is listed without a name, e-mailed once and audited", async () => {
  const w = world();
  const owner = await named(w);
  expect((await listInvitees(w.s, owner)).invitationsLeft).toBe(10);
  const { id, email, code } = await invited(w, owner);
  expect(await listInvitees(w.s, owner)).toEqual({
    invitees: [{ sub: id, email, name: null, familyName: null, roles: ADMIN }],
    invitationsLeft: 9,
  });
  expect(w.mails).toHaveLength(1);
  expect(w.mails[0]!.subject).toContain("Ann Example invites you to Meridian");
  const link = new URL(/https:\/\/\S+\/invite\?[^\s"<>)\]]+/.exec(w.mails[0]!.text)![0]);
  expect([...link.searchParams]).toEqual([
    ["email", email],
    ["code", code],
  ]);
  const { actions } = await listActions(w.s, owner, { page: 0, perPage: 50 });
  expect(actions[0]).toMatchObject({ type: "invite-user", subject: email, name: "Ann Example" });
  const stored = await env.DB.prepare("SELECT * FROM invitation WHERE id = ?").bind(id).first();
  const outbox = await env.DB.prepare("SELECT * FROM mail_outbox WHERE recipient = ?").bind(email).first();
  expect(JSON.stringify([stored, outbox])).not.toContain(code.split(".")[1]);
});

test("an address with an account gets the same response; only its e-mail differs", async () => {
  const w = world();
  const owner = await named(w);
  const other = await makeOwner(w.s, { email: freshEmail("eve") });
  const known = await inviteMember(w.s, owner, { email: other.email, roles: USER });
  const unknown = await inviteMember(w.s, owner, { email: freshEmail("new"), roles: USER });
  expect(Object.keys(known)).toEqual(Object.keys(unknown));
  expect(await messagesTo(other.email)).toEqual(["invitation-for-existing"]);
  const { invitees } = await listInvitees(w.s, owner);
  expect(invitees.map(({ name, roles }) => ({ name, roles }))).toEqual([
    { name: null, roles: USER },
    { name: null, roles: USER },
  ]);
  expect((await listMembers(w.s, other.organisationId)).map(({ userId }) => userId)).toEqual([other.userId]);
});

test("[A-357] [A-358] of twelve concurrent invitations exactly ten are created, each with e-mail and audit entry", async () => {
  const w = world();
  const owner = await named(w);
  const emails = Array.from({ length: 12 }, (_, i) => freshEmail(`crowd${i}`));
  const codes = await Promise.all(
    emails.map((email) => codeOf(inviteMember(w.s, owner, { email, roles: USER }))),
  );
  expect(codes.toSorted()).toEqual([...Array(2).fill("err.invitation.limit"), ...Array(10).fill("no error")]);
  const { invitees, invitationsLeft } = await listInvitees(w.s, owner);
  expect(invitees).toHaveLength(10);
  expect(invitationsLeft).toBe(0);
  const mailed = (await Promise.all(emails.map(messagesTo))).flat();
  expect(mailed).toHaveLength(10);
  expect(w.jobs).toHaveLength(10);
  expect((await listActions(w.s, owner, { page: 0, perPage: 50 })).actions.map(({ type }) => type)).toEqual([
    ...Array(10).fill("invite-user"),
    "set-organisation-name",
  ]);
});

test("members count towards the limit: nine members leave one invitation", async () => {
  const w = world();
  const owner = await named(w);
  for (let i = 0; i < 9; i++) await makeMember(w.s, owner);
  expect((await listInvitees(w.s, owner)).invitationsLeft).toBe(1);
  await inviteMember(w.s, owner, { email: freshEmail(), roles: USER });
  expect(await codeOf(inviteMember(w.s, owner, { email: freshEmail(), roles: USER }))).toBe(
    "err.invitation.limit",
  );
});

test("an address has one invitation at a time, even concurrently, and a new one after expiry", async () => {
  const w = world();
  const owner = await named(w);
  const email = freshEmail();
  const order = { email, roles: USER };
  const codes = await Promise.all([1, 2, 3].map(() => codeOf(inviteMember(w.s, owner, order))));
  expect(codes.toSorted()).toEqual(["err.invitation.exists", "err.invitation.exists", "no error"]);
  expect(await messagesTo(email)).toEqual(["invitation"]);
  w.clock.at += 7 * DAY_MS - 1;
  expect(await codeOf(inviteMember(w.s, owner, order))).toBe("err.invitation.exists");
  w.clock.at += 1;
  expect(await codeOf(inviteMember(w.s, owner, order))).toBe("no error");
  expect((await listInvitees(w.s, owner)).invitees).toHaveLength(1);
  const bo = await makeMember(w.s, owner);
  expect(await codeOf(inviteMember(w.s, owner, { email: bo.email, roles: USER }))).toBe(
    "err.invitation.exists",
  );
});

test("[A-280] [A-281] rights require Pro or a running trial and a working connection", async () => {
  const w = world();
  const now = w.clock.at;
  const cases: [Parameters<typeof makePlatform>[2], string][] = [
    [{ plan: "pro" }, "no error"],
    [{ plan: "trial", endsAt: now + DAY_MS }, "no error"],
    [{ plan: "trial", endsAt: now }, "err.role.plan"],
    [{ plan: "pro", endsAt: now - 1 }, "err.role.plan"],
    [{ plan: "essential" }, "err.role.plan"],
    [{ plan: null }, "err.role.plan"],
    [{ status: "revoked" }, "err.connection.unauthorized"],
    [{ status: null }, "err.connection.missing"],
  ];
  for (const [options, expected] of cases) {
    const owner = await named(w, options);
    const order = { email: freshEmail(), roles: USER };
    expect([options, await codeOf(inviteMember(w.s, owner, order))]).toEqual([options, expected]);
  }
});

test("an invitation requires a right, a named organisation and an address that is not one's own", async () => {
  const w = world();
  const owner = await makeOwner(w.s);
  await makePlatform(w.s, owner);
  const invite = (email: string, roles: string[]) => codeOf(inviteMember(w.s, owner, { email, roles }));
  expect(await invite(freshEmail(), USER)).toBe("err.organisation.nameless");
  await setOrganisationName(w.s, owner, { name: "Meridian" });
  expect(await invite(owner.email, USER)).toBe("err.request.invalid");
  expect(await invite(freshEmail(), [])).toBe("err.request.invalid");
  expect(await invite(freshEmail(), ["organization_asana_user"])).toBe("err.role.unknown");
  expect((await listInvitees(w.s, owner)).invitees).toEqual([]);
});

test("a name that violates the current rules is not sent in an invitation", async () => {
  const w = world();
  const owner = await named(w);
  const invite = (inviter: Member) =>
    codeOf(inviteMember(w.s, inviter, { email: freshEmail(), roles: USER }));
  for (const name of ["Pay at evil.example", "Meridian \u202etfos"]) {
    await env.DB.prepare("UPDATE organisation SET name = ? WHERE id = ?")
      .bind(name, owner.organisationId)
      .run();
    expect(await invite(owner)).toBe("err.organisation.nameless");
  }
  await setOrganisationName(w.s, owner, { name: "Meridian" });
  expect(await invite({ ...owner, name: "www evil" })).toBe("err.organisation.nameless");
  expect(await invite(owner)).toBe("no error");
  expect(w.jobs).toHaveLength(1);
});

test("an organisation sends at most thirty invitations per day, including withdrawn ones", async () => {
  const w = world();
  const owner = await named(w);
  const insert = `INSERT INTO audit_entry (id, organisation_id, user_name, action, created_at)
    VALUES (?, ?, 'Ann', 'invite-user', ?)`;
  await env.DB.batch(
    Array.from({ length: 30 }, () =>
      env.DB.prepare(insert).bind(w.s.ids.next("audit"), owner.organisationId, w.clock.at),
    ),
  );
  const order = { email: freshEmail(), roles: USER };
  expect(await codeOf(inviteMember(w.s, owner, order))).toBe("err.attempts.limit");
  w.clock.at += DAY_MS;
  expect(await codeOf(inviteMember(w.s, owner, order))).toBe("no error");
});

test("[A-028] [A-216] [A-253] accepting joins the inviter's organisation with the given rights, a password and a confirmed e-mail address", async () => {
  const w = world();
  const owner = await named(w);
  const invitation = await invited(w, owner);
  await acceptInvitation(w.s, joining(invitation));

  const members = await listMembers(w.s, owner.organisationId);
  expect(members.map(({ name, role, platformRoles }) => ({ name, role, platformRoles }))).toEqual([
    { name: "Ann Example", role: "owner", platformRoles: {} },
    { name: "Bo Small", role: "member", platformRoles: { github: "admin" } },
  ]);
  const { invitees, invitationsLeft } = await listInvitees(w.s, owner);
  // The same sub as before, so an open list still refers to the same person.
  expect(invitees).toEqual([
    { sub: invitation.id, email: invitation.email, name: "Bo", familyName: "Small", roles: ADMIN },
  ]);
  expect(invitationsLeft).toBe(9);
  const person = await env.DB.prepare(
    `SELECT u.name, u.family_name, u.email_verified, a.provider_id, a.account_id = u.id AS is_own, a.password,
       (SELECT count(*) FROM organisation o WHERE o.owner_user_id = u.id) AS owned
     FROM user u JOIN account a ON a.user_id = u.id WHERE u.email = ?`,
  )
    .bind(invitation.email)
    .first<{ password: string }>();
  expect(person).toMatchObject({ email_verified: 1, provider_id: "credential", is_own: 1, owned: 0 });
  expect(person).toMatchObject({ name: "Bo", family_name: "Small" });
  expect(await w.s.passwords.check(person!.password, PASSWORD)).toBe(true);
});

test("an invitation is accepted once, even concurrently", async () => {
  const w = world();
  const owner = await named(w);
  const invitation = await invited(w, owner);
  const codes = await Promise.all([1, 2, 3].map(() => codeOf(acceptInvitation(w.s, joining(invitation)))));
  expect(codes.toSorted()).toEqual(["err.invitation.invalid", "err.invitation.invalid", "no error"]);
  expect(await codeOf(acceptInvitation(w.s, joining(invitation)))).toBe("err.invitation.invalid");
  expect(await listMembers(w.s, owner.organisationId)).toHaveLength(2);
  const { actions } = await listActions(w.s, owner, { page: 0, perPage: 50 });
  expect(actions.filter(({ type }) => type === "accept-invitation")).toHaveLength(1);
});

test("a wrong, foreign or old code or another address has the same error, before any password is hashed", async () => {
  const w = world();
  const owner = await named(w);
  const invitation = await invited(w, owner);
  const invitedAt = w.clock.at;
  const foreign = await invited(w, await named(w));
  let hashed = 0;
  const passwords = { hash: async (password: string) => w.s.passwords.hash(`${password}${++hashed}`) };
  const s = { ...w.s, passwords };
  const tampered = `${invitation.code.slice(0, -1)}${invitation.code.endsWith("A") ? "B" : "A"}`;
  for (const wrong of [
    { ...invitation, code: tampered },
    { ...invitation, code: foreign.code },
    { ...invitation, code: "" },
    { ...invitation, code: invitation.id },
    { ...invitation, code: "x".repeat(5_000) },
    { ...invitation, email: foreign.email },
  ]) {
    expect(await codeOf(acceptInvitation(s, joining(wrong)))).toBe("err.invitation.invalid");
  }
  w.clock.at = invitedAt + 7 * DAY_MS;
  expect(await codeOf(acceptInvitation(s, joining(invitation)))).toBe("err.invitation.invalid");
  expect(hashed).toBe(0);
  w.clock.at -= 1;
  expect(await codeOf(acceptInvitation(s, joining(invitation)))).toBe("no error");
});

test("ten wrong codes end an invitation; guesses at an address alone have no effect", async () => {
  const w = world();
  const owner = await named(w);
  const invitation = await invited(w, owner);
  const guess = (id: string) => joining({ ...invitation, code: `${id}.${"A".repeat(43)}` });
  for (let i = 0; i < 12; i++) {
    const elsewhere = guess(`inv_${"0".repeat(26)}`);
    expect(await codeOf(acceptInvitation(w.s, elsewhere))).toBe("err.invitation.invalid");
  }
  for (let i = 0; i < 9; i++) await codeOf(acceptInvitation(w.s, guess(invitation.id)));
  const second = await invited(w, owner);
  for (let i = 0; i < 10; i++) await codeOf(acceptInvitation(w.s, guess(second.id)));
  expect(await codeOf(acceptInvitation(w.s, joining(invitation)))).toBe("no error");
  expect(await codeOf(acceptInvitation(w.s, joining(second)))).toBe("err.invitation.invalid");
});

test("an address that got its own account meanwhile cannot accept, and nothing partial remains", async () => {
  const w = world();
  const owner = await named(w);
  const invitation = await invited(w, owner);
  const self = await makeOwner(w.s, { email: invitation.email });
  expect(await codeOf(acceptInvitation(w.s, joining(invitation)))).toBe("err.invitation.invalid");
  expect(await listMembers(w.s, owner.organisationId)).toHaveLength(1);
  expect(await listMembers(w.s, self.organisationId)).toHaveLength(1);
  const { results } = await env.DB.prepare("SELECT id FROM account WHERE user_id = ?")
    .bind(invitation.id)
    .all();
  expect(results).toEqual([]);
});

test("[A-401] new rights replace the old ones at once, and open screens reconnect", async () => {
  const w = world();
  const owner = await named(w);
  const invitation = await invited(w, owner);
  await updateInvitee(w.s, owner, { targetId: invitation.id, roles: USER });
  expect((await listInvitees(w.s, owner)).invitees[0]!.roles).toEqual(USER);
  await acceptInvitation(w.s, joining(invitation));
  await updateInvitee(w.s, owner, { targetId: invitation.id, roles: [] });
  const [, bo] = await listMembers(w.s, owner.organisationId);
  expect(bo!.platformRoles).toEqual({});
  expect(w.disconnected.at(-1)).toEqual({ userId: invitation.id, mayReturn: true });
});

test("keeping or reducing rights needs no plan, extending them does", async () => {
  const w = world();
  const owner = await named(w, { plan: "essential", status: "revoked" });
  const change = async (from: "admin" | "user" | null, roles: string[]) => {
    const bo = await makeMember(w.s, owner, from === null ? {} : { github: from });
    return codeOf(updateInvitee(w.s, owner, { targetId: bo.userId, roles }));
  };
  expect(await change("admin", ADMIN)).toBe("no error");
  expect(await change("admin", USER)).toBe("no error");
  expect(await change("user", [])).toBe("no error");
  expect(await change("user", ADMIN)).toBe("err.role.plan");
  expect(await change(null, USER)).toBe("err.role.plan");
});

test("people outside the organisation and its owner cannot be changed", async () => {
  const w = world();
  const owner = await named(w);
  const other = await named(w);
  const foreigner = await makeMember(w.s, other, { github: "user" });
  const foreignInvitation = await invited(w, other);
  for (const targetId of [owner.userId, other.userId, foreigner.userId, foreignInvitation.id, "nobody"]) {
    expect(await codeOf(updateInvitee(w.s, owner, { targetId, roles: ADMIN }))).toBe("err.not.found");
  }
  expect((await listMembers(w.s, other.organisationId))[1]!.platformRoles).toEqual({ github: "user" });
});

test("[A-219] the name is empty until the owner sets it, and the account type has two values", async () => {
  const w = world();
  const owner = await makeOwner(w.s);
  const read = () =>
    env.DB.prepare("SELECT name, account_type FROM organisation WHERE id = ?")
      .bind(owner.organisationId)
      .first();
  expect(await read()).toEqual({ name: "", account_type: "User" });
  await setOrganisationName(w.s, owner, { name: "Meridian" });
  await setAccountType(w.s, owner, { accountType: "Organization" });
  expect(await read()).toEqual({ name: "Meridian", account_type: "Organization" });
});

test("[A-353] [A-354] only the owner may change people, name and account type", async () => {
  const w = world();
  const owner = await named(w);
  const admin = await makeMember(w.s, owner, { github: "admin" });
  const { id: targetId } = await invited(w, owner);
  const email = freshEmail();
  const acts: Record<string, (member: Member) => Promise<unknown>> = {
    invite: (member) => inviteMember(w.s, member, { email, roles: USER }),
    list: (member) => listInvitees(w.s, member),
    update: (member) => updateInvitee(w.s, member, { targetId, roles: USER }),
    remove: (member) => removeInvitee(w.s, member, { targetId }),
    name: (member) => setOrganisationName(w.s, member, { name: "Mine" }),
    type: (member) => setAccountType(w.s, member, { accountType: "Organization" }),
  };
  for (const [name, act] of Object.entries(acts)) {
    expect([name, await codeOf(act(admin))]).toEqual([name, "err.role.forbidden"]);
    expect([name, await codeOf(act(owner))]).toEqual([name, "no error"]);
  }
});
