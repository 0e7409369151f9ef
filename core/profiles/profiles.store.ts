import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { member, organisation, reportPreference, twoFactor, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/** Returns everything that a screen needs about a person first, in one query. Null for a removed person. */
export async function findProfile(
  control: ControlDatabase,
  { userId, organisationId }: { userId: string; organisationId: string },
) {
  const row = await control
    .select({
      userId: user.id,
      email: user.email,
      name: user.name,
      familyName: user.familyName,
      image: user.image,
      createdAt: user.createdAt,
      statedCreatedAt: user.statedCreatedAt,
      isAutoConfirmed: user.isAutoConfirmed,
      isTest: user.isTest,
      role: member.role,
      platformRoles: member.platformRoles,
      organisationName: organisation.name,
      accountType: organisation.accountType,
      isSubscribedToMail: reportPreference.isActive,
      twoFactorEnabledAt: twoFactor.enabledAt,
    })
    .from(user)
    .innerJoin(member, eq(member.userId, user.id))
    .innerJoin(organisation, eq(organisation.id, member.organisationId))
    .leftJoin(reportPreference, eq(reportPreference.userId, user.id))
    .leftJoin(twoFactor, eq(twoFactor.userId, user.id))
    .where(and(eq(user.id, userId), eq(member.organisationId, organisationId)))
    .get();
  return row ?? null;
}

/** SQL that is true while the person exists. */
export function isPersonThere(userId: string): SQL {
  return sql`exists (select 1 from ${user} where ${user.id} = ${userId})`;
}

/**
 * Replaces the person's photo and writes `note` in the same batch. Returns the old photo; `isReplaced` is false when
 * the person does not exist.
 */
export async function replacePhoto(
  control: ControlDatabase,
  { userId, image, now }: { userId: string; image: string; now: number },
  note: BatchItem<"sqlite">,
): Promise<{ isReplaced: boolean; old: string | null }> {
  const [before, after] = await control.batch([
    control.select({ image: user.image }).from(user).where(eq(user.id, userId)),
    control
      .update(user)
      .set({ image, updatedAt: new Date(now) })
      .where(eq(user.id, userId))
      .returning({ id: user.id }),
    note,
  ]);
  return { isReplaced: after.length > 0, old: before[0]?.image ?? null };
}

/** Returns those of the photos, given as bucket keys (`{userId}/{image}`), that are their person's current photo. */
export async function listNamedPhotos(
  control: ControlDatabase,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const json = JSON.stringify(keys.map((key) => [key.slice(0, key.indexOf("/")), key]));
  const rows = await control.all<{ key: string }>(
    sql`select value->>1 as key from json_each(${json})
      join ${user} on ${user.id} = value->>0 where value->>1 = ${user.id} || '/' || ${user.image}`,
  );
  return new Set(rows.map(({ key }) => key));
}

/** Returns the owner of a photo if they belong to the organisation, otherwise null. */
export async function findPhotoOwner(
  control: ControlDatabase,
  { organisationId, image }: { organisationId: string; image: string },
): Promise<string | null> {
  const row = await control
    .select({ userId: member.userId })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(and(eq(member.organisationId, organisationId), eq(user.image, image)))
    .get();
  return row?.userId ?? null;
}
