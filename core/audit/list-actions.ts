import { z } from "zod";
import { listPlans } from "#core/billing/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { Memory } from "#core/kernel/memory.ts";
import { ACTION_GROUPS, type ActionGroup, actionsOf, actionWords, groupOf } from "./action-words.schema.ts";
import {
  type AuditCount,
  type AuditCursor,
  type AuditFilter,
  type AuditRow,
  type AuditScope,
  countActionRows,
  countAuditRows,
  findFirstTime,
  listAuditRows,
} from "./audit.store.ts";

/** An audit entry for the API (spec part 3 section 3, "Audit action"). */
export type AuditAction = {
  id: string;
  /** e.g. `login`, `invite-user`; empty when hidden. */
  type: string;
  /** The action in words; empty when hidden. */
  text: string;
  platform: string | null;
  /** The version that the action was applied to. */
  version: string | null;
  /** As of when the version shows its item, epoch ms; null when there is no version, and for entries that did not record it. */
  versionTakenAt: number | null;
  /** What the action was applied to, by a name that the reader knows. */
  subject: string | null;
  /** Epoch ms. */
  date: number;
  status: "success" | "failed";
  /** The address that the request came from; null for what no request caused. */
  ip: string | null;
  /** The person's name at that time; empty when hidden. */
  name: string;
  /** True when the platform has the Pro plan or a running trial. */
  isProPlanAction: boolean;
  /** The Pro plan is needed to read it. The texts are not sent. */
  isHidden: boolean;
};

/** How many entries a reader finds in each group, and in all. */
type GroupCounts = Record<ActionGroup | "all", number>;

/**
 * A page of the trail. `next` is the cursor of the next page, null at the end. `counts` are those of each group under the
 * other filters.
 */
export type AuditView = { actions: AuditAction[]; total: number; counts: GroupCounts; next: string | null };

/** What a reader asks for. `actions` and `outcome` follow from the group. */
export type AuditQuestion = Omit<AuditFilter, "actions" | "outcome"> & { group?: ActionGroup };

/** The fields of a member that decide which entries they may read. */
type Asker = {
  userId: string;
  organisationId: string;
  role: "owner" | "member";
  platformRoles: Readonly<Record<string, "admin" | "user">>;
};

type ReadDeps = { control: ControlDatabase; clock: Clock; memory?: Memory };

/**
 * The trail, newest first. The owner sees all of it; members see their own actions and those on the platforms they have
 * a right to. Without the Pro plan, entries about platforms are listed without their text, and no filter but the time
 * finds them, because the result would reveal their text (spec part 3 section 2, "Audit trail"). A page is selected
 * by number, or by `after`, the cursor that the previous page returned. With a cursor, the cost is the same at any
 * depth, and entries added meanwhile shift nothing.
 * @throws AppError `err.request.invalid` for an `after` that no page returned
 */
export async function listActions(
  deps: ReadDeps,
  member: Asker,
  {
    page,
    perPage,
    after,
    ...question
  }: { page: number; perPage: number; after?: string | null } & AuditQuestion,
): Promise<AuditView> {
  const before = after ? readCursor(after) : null;
  const plans = await plansOf(deps, member.organisationId);
  const { group, ...ofAnyGroup } = question;
  const [rows, found] = await Promise.all([
    // One extra row shows whether there is another page.
    listAuditRows(deps.control, scopeOf(member, question, plans), {
      before,
      skip: before ? 0 : page * perPage,
      limit: perPage + 1,
    }),
    countAuditRows(deps.control, scopeOf(member, ofAnyGroup, plans)),
  ]);
  const counts = groupCounts(found, plans);
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  return {
    actions: shown.map((row) => toAction(row, plans)),
    total: counts[group ?? "all"],
    counts,
    next: rows.length > perPage && last ? `${last.createdAt}.${last.id}` : null,
  };
}

/** Without the Pro plan, no group tells how many entries about platforms it has. */
function groupCounts(found: readonly AuditCount[], { hasPro }: Plans): GroupCounts {
  const counts = Object.fromEntries(["all", ...ACTION_GROUPS].map((group) => [group, 0])) as GroupCounts;
  for (const { action, outcome, hasPlatform, total } of found) {
    counts.all += total;
    if (hasPlatform && !hasPro) continue;
    const group = groupOf(action);
    if (group !== null) counts[group] += total;
    if (outcome === "failed") counts.failed += total;
  }
  return counts;
}

/** Entries that one statement reads for an export. */
const EXPORT_ROWS = 500;

/**
 * The same entries for an export, in pages, so that no export is held in memory.
 * @throws AppError `err.plan.required` without the Pro plan on any platform
 */
export async function exportActions(
  deps: ReadDeps,
  member: Asker,
  question: AuditQuestion,
): Promise<AsyncIterable<AuditAction[]>> {
  const plans = await plansOf(deps, member.organisationId);
  if (!plans.hasPro) throw new AppError("err.plan.required");
  const scope = scopeOf(member, question, plans);
  return (async function* () {
    let before: AuditCursor | null = null;
    for (;;) {
      const rows: AuditRow[] = await listAuditRows(deps.control, scope, {
        before,
        skip: 0,
        limit: EXPORT_ROWS,
      });
      if (rows.length > 0) yield rows.map((row) => toAction(row, plans));
      before = rows.at(-1) ?? null;
      if (rows.length < EXPORT_ROWS) return;
    }
  })();
}

/** When the organisation's trail begins, epoch ms; null = it is empty. */
export async function findTrailStart(
  deps: { control: ControlDatabase },
  { organisationId }: Pick<Asker, "organisationId">,
): Promise<number | null> {
  return findFirstTime(deps.control, { organisationId });
}

type Plans = { hasPro: boolean; pro: ReadonlySet<string> };

/** The Pro flag of the trail is the whole account's (spec part 3 section 4). */
async function plansOf(deps: ReadDeps, organisationId: string): Promise<Plans> {
  const plans = await listPlans(deps, organisationId);
  const pro = new Set(
    [...plans].flatMap(([platform, { hasProFeatures }]) => (hasProFeatures ? [platform] : [])),
  );
  return { hasPro: pro.size > 0, pro };
}

function scopeOf(member: Asker, { group, ...question }: AuditQuestion, { hasPro }: Plans): AuditScope {
  const filter: AuditFilter = {
    ...question,
    ...(group === undefined
      ? {}
      : group === "failed"
        ? { outcome: "failed" }
        : { actions: actionsOf(group) }),
  };
  const { from: _from, until: _until, ...content } = filter;
  const isNarrowed = Object.values(content).some((value) => value !== undefined && value !== "");
  return {
    organisationId: member.organisationId,
    only:
      member.role === "owner"
        ? null
        : { userId: member.userId, platforms: Object.keys(member.platformRoles) },
    filter,
    hasPlatforms: hasPro || !isNarrowed,
  };
}

function toAction(row: AuditRow, { hasPro, pro }: Plans): AuditAction {
  const { id, platform, createdAt: date } = row;
  const isProPlanAction = platform !== null && pro.has(platform);
  const isHidden = platform !== null && !isProPlanAction && !hasPro;
  const shown = { id, platform, date, isProPlanAction, isHidden };
  if (isHidden) {
    return {
      ...shown,
      type: "",
      text: "",
      version: null,
      versionTakenAt: null,
      subject: null,
      status: "success",
      ip: null,
      name: "",
    };
  }
  return {
    ...shown,
    type: row.action,
    text: actionWords(row.action),
    version: row.versionId,
    versionTakenAt: row.versionTakenAt,
    subject: row.subject,
    status: row.outcome,
    ip: row.ip,
    name: row.userName,
  };
}

/** How often an action was done since `since` (epoch ms), for rate limits. */
export async function countActions(
  deps: { control: ControlDatabase },
  what: { organisationId: string; action: string; since: number },
): Promise<number> {
  return countActionRows(deps.control, what);
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
