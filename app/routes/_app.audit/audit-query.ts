import { ACTION_GROUPS, type ActionGroup } from "#core/audit/action-words.schema.ts";

/** The spans of time that the trail can be narrowed to, in days. */
export const SPANS = { "1d": 1, "7d": 7, "30d": 30, "90d": 90 } as const;
export type Span = keyof typeof SPANS;

/** The person of entries that the product wrote by itself, in the address. */
export const PRODUCT = "holdfast";

/** What the address of the audit trail asks for. Empty text = any. */
export type AuditQuery = {
  /** From 0. */
  page: number;
  person: string;
  platform: string;
  group: ActionGroup | "";
  span: Span | "";
  q: string;
  /** Shows new entries as they are written. Only the newest page can. */
  isFollowed: boolean;
};

/** Reads the address. What it does not understand counts as absent. */
export function parseAuditQuery(search: URLSearchParams): AuditQuery {
  const asked = Number(search.get("page"));
  const page = Number.isSafeInteger(asked) && asked > 0 && asked < 1_000_000 ? asked : 0;
  const group = ACTION_GROUPS.find((each) => each === search.get("group"));
  const span = search.get("span") ?? "";
  return {
    page,
    person: (search.get("person") ?? "").slice(0, 100),
    platform: (search.get("platform") ?? "").slice(0, 50),
    group: group ?? "",
    span: Object.hasOwn(SPANS, span) ? (span as Span) : "",
    q: (search.get("q") ?? "").trim().slice(0, 200),
    isFollowed: page === 0 && search.get("follow") === "1",
  };
}

/** The address of a query; what is absent is left out. */
export function auditSearch({ page, isFollowed, ...filter }: AuditQuery): Record<string, string> {
  const place = { page: page > 0 ? String(page) : "", follow: isFollowed && page === 0 ? "1" : "" };
  const entries = Object.entries({ ...place, ...filter });
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/** True when the query leaves entries out. */
export function isNarrowed({ page: _page, isFollowed: _isFollowed, ...filter }: AuditQuery): boolean {
  return Object.values(filter).some((value) => value !== "");
}

const DAY_MS = 86_400_000;

/** When the span begins, epoch ms; undefined = with the first entry. */
export function spanStart(span: Span | "", now: number): number | undefined {
  return span === "" ? undefined : now - SPANS[span] * DAY_MS;
}

/** The address of the file with the same entries. */
export function exportPath(query: AuditQuery, now: number): string {
  const { span, page: _page, isFollowed: _isFollowed, ...filter } = query;
  const from = spanStart(span, now);
  const wanted = { ...filter, from: from === undefined ? "" : String(from) };
  const search = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== "")).toString();
  return search === "" ? "/audit/export.csv" : `/audit/export.csv?${search}`;
}
