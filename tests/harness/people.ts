import { env } from "cloudflare:workers";
import { scryptPasswords } from "#core/accounts/index.ts";
import { randomBytes, sha256Hex, toBase64Url, toHex } from "#core/kernel/crypto.ts";
import { createOrganisation, listMembers, type Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";

type MakeDeps = Pick<Services, "control" | "clock" | "ids" | "settings">;

/** A unique e-mail address. */
export const freshEmail = (name = "ann") => `${name}-${toHex(randomBytes(6))}@example.com`;

/** The owner of a new organisation, created without the sign-up flow. */
export async function makeOwner(
  deps: MakeDeps,
  { name = "Ann", familyName = "Example", email = freshEmail() } = {},
): Promise<Member> {
  const userId = toHex(randomBytes(16));
  const now = deps.clock.now();
  await env.DB.prepare(
    `INSERT INTO user (id, name, family_name, email, email_verified, created_at, updated_at)
     VALUES (?, ?, ?, ?, 1, ?, ?)`,
  )
    .bind(userId, name, familyName, email, now, now)
    .run();
  await createOrganisation(deps, { userId });
  const row = await env.DB.prepare("SELECT organisation_id AS id FROM member WHERE user_id = ?")
    .bind(userId)
    .first<{ id: string }>();
  return (await listMembers(deps, row!.id))[0]!;
}

/** A member of the owner's organisation, created without an invitation. */
export async function makeMember(
  deps: MakeDeps,
  owner: Member,
  platformRoles: Member["platformRoles"] = {},
): Promise<Member> {
  const userId = toHex(randomBytes(16));
  const now = deps.clock.now();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO user (id, name, family_name, email, email_verified, created_at, updated_at)
       VALUES (?, 'Bo', 'Small', ?, 1, ?, ?)`,
    ).bind(userId, freshEmail("bo"), now, now),
    env.DB.prepare("INSERT INTO member VALUES (?, ?, ?, 'member', ?, ?)").bind(
      deps.ids.next("member"),
      owner.organisationId,
      userId,
      JSON.stringify(platformRoles),
      now,
    ),
  ]);
  return (await listMembers(deps, owner.organisationId)).find((each) => each.userId === userId)!;
}

/** The password of `withPassword`. Its hashes are cheap. */
export const PASSWORD = "qV7$wRk9Zt!mXp";
export const cheapPasswords = scryptPasswords(16);

/** Gives a person the password that confirms what cannot be taken back. */
export async function withPassword(person: Member): Promise<Member> {
  await env.DB.prepare(
    `INSERT INTO account (id, account_id, provider_id, user_id, password, created_at, updated_at)
     VALUES (?, ?, 'credential', ?, ?, 1, 1)`,
  )
    .bind(`credential:${person.userId}`, person.userId, person.userId, await cheapPasswords.hash(PASSWORD))
    .run();
  return person;
}

/** Creates a session for the person. @returns the value of the `Authorization` header */
export async function makeSession(deps: MakeDeps, { userId }: Member): Promise<string> {
  const token = toBase64Url(randomBytes(32));
  const now = deps.clock.now();
  await env.DB.prepare(
    `INSERT INTO session (id, expires_at, token, created_at, updated_at, user_id) VALUES (?, ?, ?, ?, ?, ?)`,
  )
    .bind(toHex(randomBytes(16)), now + 3_600_000, await sha256Hex(token), now, now, userId)
    .run();
  return `Bearer ${token}`;
}

/** Adds a connection and a subscription for a platform. */
export async function makePlatform(
  deps: MakeDeps,
  { organisationId }: Pick<Member, "organisationId">,
  {
    platform = "github",
    status = "active",
    plan = "pro",
    endsAt = null,
  }: {
    platform?: string;
    status?: "active" | "revoked" | null;
    plan?: "trial" | "essential" | "pro" | null;
    endsAt?: number | null;
  } = {},
): Promise<void> {
  const now = deps.clock.now();
  if (status !== null) {
    await env.DB.prepare(
      `INSERT INTO connection (id, organisation_id, platform, region, external_id, name, account_type, status,
         details, created_at) VALUES (?, ?, ?, 'US', ?, 'octo', 'User', ?, '{}', ?)`,
    )
      .bind(deps.ids.next("connection"), organisationId, platform, toHex(randomBytes(4)), status, now)
      .run();
  }
  if (plan !== null) {
    await env.DB.prepare(
      `INSERT INTO subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at)
       VALUES (?, ?, ?, ?, 10, ?, ?)`,
    )
      .bind(deps.ids.next("subscription"), organisationId, platform, plan, now, endsAt)
      .run();
  }
}
