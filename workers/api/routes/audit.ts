import type { Context } from "hono";
import { z } from "zod";
import { ACTION_GROUPS } from "#core/audit/action-words.schema.ts";
import { type AuditAction, type AuditQuestion, exportActions, listActions } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { csvLine } from "#core/kernel/csv.ts";
import type { ApiEnv } from "../api-env.ts";
import { contentDisposition } from "../content-disposition.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { pageField, wireText } from "../wire-fields.ts";

/** Default number of audit rows per page (spec part 3 section 9). */
const AUDIT_ROWS = 50;
/** As a person's id: what the product did by itself. */
const PRODUCT = "holdfast";

const timeField = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .optional();

/** Which entries to read. */
const filterFields = {
  /** A person's id, or `holdfast`. */
  person: wireText(100).optional(),
  platform: wireText(50).optional(),
  group: z.enum(ACTION_GROUPS).optional(),
  from: timeField,
  until: timeField,
  q: wireText(200).optional(),
};
const filterSchema = z.strictObject(filterFields);

/** The audit trail (spec part 3 sections 2 and 7): its pages, and all of it as a file. */
export function mountAudit(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/user/actions-history",
    summary: "The audit trail",
    tag: "Organisation",
    input: z.strictObject({
      page: pageField,
      perPage: z
        .string()
        .regex(/^[1-9][0-9]?$|^100$/)
        .transform(Number)
        .default(AUDIT_ROWS),
      after: wireText(100).optional(),
      ...filterFields,
    }),
    result: z.object({
      actions: z.array(
        z.object({
          id: z.string(),
          type: z.string(),
          text: z.string(),
          platform: z.string().nullable(),
          version: z.string().nullable(),
          versionTakenAt: z.int().nullable(),
          subject: z.string().nullable(),
          date: z.int(),
          status: z.enum(["success", "failed"]),
          ip: z.string().nullable(),
          name: z.string(),
          isProPlanAction: z.boolean(),
          isHidden: z.boolean(),
        }),
      ),
      totalItemsNumber: z.int().min(0),
      next: z.string().nullable(),
    }),
    handle: async (s, m, { page, perPage, after, ...filter }) => {
      const { actions, total, next } = await listActions(s, m, {
        page,
        perPage,
        after,
        ...questionOf(filter),
      });
      return { result: { actions, totalItemsNumber: total, next } };
    },
  });
  api.get("/audit/export.csv", sendTrail);
}

function questionOf({ person, q, ...rest }: z.output<typeof filterSchema>): AuditQuestion {
  return {
    ...rest,
    ...(person === undefined ? {} : { userId: person === PRODUCT ? null : person }),
    ...(q === undefined ? {} : { text: q }),
  };
}

/** GET /audit/export.csv — the entries of a filter as a table, written while they are read. */
async function sendTrail(c: Context<ApiEnv>): Promise<Response> {
  const { services, member } = c.var;
  if (!member) throw new AppError("err.session.missing");
  const filter = filterSchema.safeParse(c.req.query());
  if (!filter.success) throw new AppError("err.request.invalid", { cause: filter.error });
  const pages = await exportActions(services, member, questionOf(filter.data));
  return new Response(csvOf(pages), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": contentDisposition(
        `audit-trail-${new Date(services.clock.now()).toISOString().slice(0, 10)}.csv`,
      ),
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

const HEAD = [
  ...["date", "person", "action", "object", "platform"],
  ...["version", "version taken at", "address", "result"],
];

function csvOf(pages: AsyncIterable<AuditAction[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pages[Symbol.asyncIterator]();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(csvLine(HEAD))),
    pull: async (controller) => {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map((each) => csvLine(cellsOf(each))).join("")));
    },
    cancel: async () => {
      await iterator.return?.();
    },
  });
}

function cellsOf(action: AuditAction): string[] {
  const { date, name, text, subject, platform, version, versionTakenAt, ip, status } = action;
  const takenAt = versionTakenAt === null ? "" : timeOf(versionTakenAt);
  return [
    ...[timeOf(date), name, text, subject ?? "", platform ?? ""],
    ...[version ?? "", takenAt, ip ?? "", status],
  ];
}

const timeOf = (at: number) => new Date(at).toISOString();
