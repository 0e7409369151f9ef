import { z } from "zod";
import { entitlementsOf } from "#core/billing/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import {
  type AuditCursor,
  type AuditRow,
  type AuditScope,
  countActionRows,
  countAuditRows,
  listAuditRows,
} from "./audit.store.ts";

/** An audit entry for the API. Entries are written with their action, so every listed action succeeded. */
export type AuditAction = {
  id: string;
  /** e.g. `login`, `invite-user`. */
  type: string;
  platform: string | null;
  /** What the action was applied to, by a name that the reader knows. */
  subject: string | null;
  /** Epoch ms. */
  date: number;
  /** The person's name at that time. */
  name: string;
  /** True when the platform has the Pro plan or a running trial. */
  isProPlanAction: boolean;
};

/** A page of the trail. `next` is the cursor of the next page, null at the end. */
export type AuditView = { actions: AuditAction[]; total: number; next: string | null };

/** The fields of a member that decide which entries they may read. */
type Asker = {
  userId: string;
  organisationId: string;
  role: "owner" | "member";
  platformRoles: Readonly<Record<string, "admin" | "user">>;
};

/**
 * The trail, newest first. The owner sees all of it; members see their own actions and those on the platforms they have
 * a right to. A page is selected by number, or by `after`, the cursor that the previous page returned. With a cursor,
 * the cost is the same at any depth, and entries added meanwhile shift nothing.
 * @throws AppError `err.request.invalid` for an `after` that no page returned
 */
export async function listActions(
  deps: { control: ControlDatabase; clock: Clock },
  member: Asker,
  { page, perPage, after }: { page: number; perPage: number; after?: string | null },
): Promise<AuditView> {
  const scope: AuditScope = {
    organisationId: member.organisationId,
    only:
      member.role === "owner"
        ? null
        : { userId: member.userId, platforms: Object.keys(member.platformRoles) },
  };
  const before = after ? readCursor(after) : null;
  const [rows, total] = await Promise.all([
    // One extra row shows whether there is another page.
    listAuditRows(deps.control, scope, { before, skip: before ? 0 : page * perPage, limit: perPage + 1 }),
    countAuditRows(deps.control, scope),
  ]);
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const withPro = await platformsWithPro(deps, member.organisationId, shown);
  return {
    actions: shown.map((row) => ({
      id: row.id,
      type: row.action,
      platform: row.platform,
      subject: row.subject,
      date: row.createdAt,
      name: row.userName,
      isProPlanAction: row.platform !== null && withPro.has(row.platform),
    })),
    total,
    next: rows.length > perPage && last ? `${last.createdAt}.${last.id}` : null,
  };
}

/** How often an action was done since `since` (epoch ms), for rate limits. */
export async function countActions(
  deps: { control: ControlDatabase },
  what: { organisationId: string; action: string; since: number },
): Promise<number> {
  return countActionRows(deps.control, what);
}

async function platformsWithPro(
  deps: { control: ControlDatabase; clock: Clock },
  organisationId: string,
  rows: readonly AuditRow[],
): Promise<Set<string>> {
  const platforms = [...new Set(rows.flatMap(({ platform }) => (platform === null ? [] : [platform])))];
  const rights = await Promise.all(
    platforms.map(async (platform) => {
      const { hasProFeatures } = await entitlementsOf(deps, organisationId, platform);
      return hasProFeatures ? [platform] : [];
    }),
  );
  return new Set(rights.flat());
}

const cursorSchema = z
  .string()
  .regex(/^\d{1,15}\.aud_[0-9a-z]{1,60}$/)
  .transform((text): AuditCursor => {
    const [createdAt = "", id = ""] = text.split(".");
    return { createdAt: Number(createdAt), id };
  });

function readCursor(text: string): AuditCursor {
  const cursor = cursorSchema.safeParse(text);
  if (!cursor.success) throw new AppError("err.request.invalid", { cause: cursor.error });
  return cursor.data;
}
