import { and, asc, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { endLicensedRight, giveLicensedRight, type LicensedRight } from "#core/billing/index.ts";
import { hostCode, hostInstallation } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

export type InstallationRow = typeof hostInstallation.$inferSelect;
export type CodeRow = typeof hostCode.$inferSelect;

/**
 * Records that the app is installed and alive at a site, with its licence, and makes the licence the entitlement: all in one
 * batch, so that what was stored last is always what the entitlement was written from.
 */
export async function storeHostCall(
  control: ControlDatabase,
  call: Pick<InstallationRow, "platform" | "siteId" | "installationId"> & {
    now: number;
    /** Null = the licence is not active; absent = the host states none, and the last one stays. */
    right?: LicensedRight | null;
    /** The id of a new entitlement. */
    id: string;
  },
): Promise<{ organisationId: string | null; isChanged: boolean }> {
  const { platform, siteId, installationId, now, right } = call;
  const told = right === undefined ? "" : ", plan = ?5, plan_ends_at = ?6";
  const forgotten = right === null ? ", is_given = 0" : "";
  const store = statement(
    control,
    `INSERT INTO host_installation
       (platform, site_id, installation_id, status, installed_at, seen_at, plan, plan_ends_at)
     VALUES (?1, ?2, ?3, 'active', ?4, ?4, ?5, ?6)
     ON CONFLICT (platform, site_id) DO UPDATE SET
       installation_id = excluded.installation_id, status = 'active', seen_at = excluded.seen_at${told}${forgotten}
     RETURNING organisation_id`,
    platform,
    siteId,
    installationId,
    now,
    right?.plan ?? null,
    right?.paidUntil ?? null,
  );
  const results = await commitTogether(
    control,
    right === null ? [endLicensedRight(control, call), store] : [store, ...giveLicensedRight(control, call)],
  );
  const [stored, changed] = right === null ? [results[1], results[0]] : [results[0], results[1]];
  return {
    organisationId: (stored?.results[0]?.organisation_id as string | null | undefined) ?? null,
    isChanged: (changed?.results.length ?? 0) > 0,
  };
}

/** The installation at a site, if it is alive; null otherwise. */
export async function findInstallation(
  control: ControlDatabase,
  { platform, siteId }: { platform: string; siteId: string },
): Promise<InstallationRow | null> {
  const row = await control
    .select()
    .from(hostInstallation)
    .where(
      and(
        eq(hostInstallation.platform, platform),
        eq(hostInstallation.siteId, siteId),
        eq(hostInstallation.status, "active"),
      ),
    )
    .get();
  return row ?? null;
}

/** Installations whose last call came before the time, the longest silent first. */
export async function listSilent(
  control: ControlDatabase,
  { before, most }: { before: number; most: number },
): Promise<InstallationRow[]> {
  return (
    control
      .select()
      .from(hostInstallation)
      // A literal, so that the index of active installations serves it.
      .where(and(sql`${hostInstallation.status} = 'active'`, lt(hostInstallation.seenAt, before)))
      .orderBy(asc(hostInstallation.seenAt))
      .limit(most)
  );
}

/**
 * Ends an installation with its licence, unless it called again in the meantime. Returns whether it ended, and whether the
 * entitlement of its organisation did.
 */
export async function endInstallation(
  control: ControlDatabase,
  {
    platform,
    siteId,
    seenAt,
    now,
  }: Pick<InstallationRow, "platform" | "siteId" | "seenAt"> & { now: number },
): Promise<{ isEnded: boolean; isChanged: boolean }> {
  const [changed, ended] = await commitTogether(control, [
    endLicensedRight(control, { platform, siteId, now, seenAt }),
    statement(
      control,
      `UPDATE host_installation SET status = 'silent', plan = NULL, plan_ends_at = NULL, is_given = 0
       WHERE platform = ?1 AND site_id = ?2 AND seen_at = ?3 AND status = 'active' RETURNING site_id`,
      platform,
      siteId,
      seenAt,
    ),
  ]);
  return {
    isEnded: (ended?.results.length ?? 0) > 0,
    isChanged: (changed?.results.length ?? 0) > 0,
  };
}

/** Stores a code. The hourly sweep of sessions deletes expired ones. */
export async function insertCode(control: ControlDatabase, row: Omit<CodeRow, "usedAt">): Promise<void> {
  await control.insert(hostCode).values(row);
}

/**
 * Uses up a code, if it is for this frame and came from this page. One statement finds it and marks it, so that of two
 * exchanges only the first gets it.
 */
export async function takeCode(
  control: ControlDatabase,
  {
    codeHash,
    challenge,
    shellOrigin,
    now,
    isGrant,
  }: Pick<CodeRow, "codeHash" | "challenge" | "shellOrigin"> & {
    now: number;
    /** The code is to connect the site, and not to open a session. */
    isGrant: boolean;
  },
): Promise<CodeRow | null> {
  const isInstalled = sql`exists (select 1 from ${hostInstallation}
    where ${hostInstallation.platform} = ${hostCode.platform} and ${hostInstallation.siteId} = ${hostCode.siteId}
    and ${hostInstallation.status} = 'active')`;
  const [row] = await control
    .update(hostCode)
    .set({ usedAt: now })
    .where(
      and(
        eq(hostCode.codeHash, codeHash),
        eq(hostCode.challenge, challenge),
        eq(hostCode.shellOrigin, shellOrigin),
        isNull(hostCode.usedAt),
        isGrant ? isNotNull(hostCode.sealedGrant) : isNull(hostCode.sealedGrant),
        gt(hostCode.expiresAt, now),
        isInstalled,
      ),
    )
    .returning();
  return row ?? null;
}
