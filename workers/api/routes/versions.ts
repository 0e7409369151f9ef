import type { Context } from "hono";
import { z } from "zod";
import { acknowledgeAlarms, setAlarmLimits } from "#core/alarms/index.ts";
import { eraseVersion } from "#core/backups/index.ts";
import {
  describeVersion,
  listEntries,
  openForReading,
  openPart,
  readable,
  readRecordPage,
} from "#core/browsing/index.ts";
import {
  compareFileOf,
  comparePartOf,
  compareProposalOf,
  compareRecordOf,
  compareRefOf,
  compareVersions,
  listPartVersions,
} from "#core/comparisons/index.ts";
import { zipStream } from "#core/exports/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { ApiEnv } from "../api-env.ts";
import { contentDisposition } from "../content-disposition.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import {
  comparisonAnswer,
  entriesAnswer,
  fileComparisonAnswer,
  partComparisonAnswer,
  partVersionsAnswer,
  proposalAnswer,
  READS_VERSION,
  recordAnswer,
  recordComparisonAnswer,
  refComparisonAnswer,
} from "../version-answers.ts";
import { optional, pathText, wireId, wireText } from "../wire-fields.ts";

const tag = "Versions";
const version = { itemId: wireId, snapshotId: wireId };
const percent = z.int().min(1).max(100);
const lossCount = z.int().min(1).max(1_000_000);
const both = { itemId: wireId, beforeId: wireId, afterId: wireId };

/** Calls that look into a version: its entries, one record, how it differs from another, and its parts on their way out. */
export function mountVersions(api: Api): void {
  mountEntries(api);
  mountComparisons(api);
  mountAlarms(api);
  mountRoute(api, {
    method: "POST",
    path: "/versions/erase",
    summary: "Erase a version for good; only the owner may",
    tag,
    input: z.strictObject(version),
    result: z.object({ erasedAt: z.int() }),
    refuses: [
      "err.role.forbidden",
      "err.plan.required",
      "err.connection.missing",
      "err.not.found",
      "err.item.busy",
    ],
    handle: async (s, m, input) => ({ result: await eraseVersion(s, m, input) }),
  });
  api.get("/versions/:item/:snapshot/part", sendPart);
}

function mountEntries(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/versions/entries",
    summary: "What a version holds, by kind or search, page by page",
    tag,
    input: z.strictObject({
      ...version,
      kind: optional(wireText(50)),
      search: optional(wireText(100)),
      after: optional(pathText),
    }),
    result: entriesAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, { kind, search, after, ...order }) => {
      const open = await openForReading(s, m, order);
      const words = open.connector.entryKinds;
      const page = await readable(() => listEntries(open.view, words, { kind, search, after }));
      return { result: { ...describeVersion(open), ...page } };
    },
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/record",
    summary: "A record of a version with what belongs to it",
    tag,
    input: z.strictObject({ ...version, path: pathText, after: optional(pathText) }),
    result: recordAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, { path, after, ...order }) => {
      const { view, connector } = await openForReading(s, m, order);
      const words = connector.entryKinds;
      return { result: await readable(() => readRecordPage(view, words, { path, after })) };
    },
  });
}

function mountComparisons(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare",
    summary: "What differs between two versions of an item",
    tag,
    input: z.strictObject(both),
    result: comparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, order) => ({ result: await compareVersions(s, m, order) }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare-record",
    summary: "How one record differs between two versions, field by field",
    tag,
    input: z.strictObject({ ...both, path: pathText }),
    result: recordComparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, order) => ({ result: await compareRecordOf(s, m, order) }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare-part",
    summary:
      "How one part of a view (a card, a thread, a page, a row) differs between two versions, field by field and comment by comment",
    tag,
    input: z.strictObject({ ...both, view: wireText(100), part: wireText(300) }),
    result: partComparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, { view, part, ...order }) => ({
      result: await comparePartOf(s, m, { ...order, viewId: view, partId: part }),
    }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/part-versions",
    summary: "In which versions around one a part of a view (a card, a thread, a page, a row) changed",
    tag,
    input: z.strictObject({ ...version, view: wireText(100), part: wireText(300) }),
    result: partVersionsAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, { view, part, ...order }) => ({
      result: await listPartVersions(s, m, { ...order, viewId: view, partId: part }),
    }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/proposal",
    summary: "The commits of a pull request, the files that they change, and the lines of one of them",
    tag,
    input: z.strictObject({ ...version, view: wireText(100), part: wireText(300), path: optional(pathText) }),
    result: proposalAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, { view, part, path, ...order }) => {
      const open = await openForReading(s, m, order);
      return { result: await compareProposalOf(open, { viewId: view, partId: part, path }) };
    },
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare-ref",
    summary: "How a branch or tag differs between two versions: commits and files",
    tag,
    input: z.strictObject({ ...both, tree: wireText(50), ref: pathText }),
    result: refComparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, order) => ({ result: await compareRefOf(s, m, order) }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/versions/compare-file",
    summary: "How one file of a branch or tag differs between two versions, line by line",
    tag,
    input: z.strictObject({ ...both, tree: wireText(50), ref: pathText, path: pathText }),
    result: fileComparisonAnswer,
    refuses: READS_VERSION,
    handle: async (s, m, order) => ({ result: await compareFileOf(s, m, order) }),
  });
}

function mountAlarms(api: Api): void {
  mountRoute(api, {
    method: "POST",
    path: "/user/acknowledge-alarms",
    summary: "Say that somebody has looked at the alarms of an item",
    tag,
    input: z.strictObject({ itemId: wireId }),
    result: z.object({ acknowledged: z.int().min(0) }),
    refuses: ["err.role.forbidden", "err.plan.required", "err.connection.missing", "err.not.found"],
    handle: async (s, m, input) => ({ result: await acknowledgeAlarms(s, m, input) }),
  });
  mountRoute(api, {
    method: "PUT",
    path: "/user/alarm-limits",
    summary: "Set the loss between two versions of an item that raises an alarm; null means the default",
    tag,
    input: z.strictObject({ itemId: wireId, lostPercent: optional(percent), lostCount: optional(lossCount) }),
    result: z.object({ lostPercent: percent, lostCount: lossCount }),
    refuses: ["err.role.forbidden", "err.plan.required", "err.connection.missing", "err.not.found"],
    handle: async (s, m, input) => ({ result: await setAlarmLimits(s, m, input) }),
  });
}

const partQuery = z.object({
  path: pathText,
  tree: optional(wireText(50)),
  ref: optional(pathText),
  as: optional(z.literal("markdown")),
  shown: optional(z.literal("1")),
});

/**
 * Sends one part of a version as a download, or as an image for a page. Headers prevent the browser from sniffing the
 * type, opening it as a page, or running scripts in it.
 */
async function sendPart(c: Context<ApiEnv>): Promise<Response> {
  const { services, member } = c.var;
  if (!member) throw new AppError("err.session.missing");
  const asked = partQuery.safeParse(c.req.query());
  if (!asked.success) throw new AppError("err.request.invalid");
  const { path, tree, ref, as, shown } = asked.data;
  const part = await openPart(services, member, {
    itemId: c.req.param("item") ?? "",
    snapshotId: c.req.param("snapshot") ?? "",
    path,
    tree,
    ref,
    isMarkdown: as === "markdown",
    isShown: shown === "1",
  });
  const headers = new Headers({
    "Content-Type": shown === "1" && part.mediaType ? part.mediaType : "application/octet-stream",
    "Content-Disposition": contentDisposition(part.name),
    "Content-Length": String(part.sizeBytes),
    "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "private, no-store",
  });
  if (c.req.method === "HEAD") return new Response(null, { headers });
  return new Response(zipStream(part.read(), part.sizeBytes), { headers });
}
