import { formatHubHint, isSessionOver, readHubHint, readToken } from "#core/accounts/index.ts";
import { type Entry, entryForm, findEntry, noteUse } from "#core/entry/index.ts";
import { canonicalJson } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Entrance } from "#durable-objects/session-copies.ts";
import { accountHub } from "#durable-objects/stubs.ts";
import type { Services } from "./services.ts";

/** The result of authenticating a page request. */
export type PageEntrance = {
  /** Null = nobody is signed in. */
  entry: Entry | null;
  /** The entry as the control database has it, if `entry` has no lease. Await and compare it before responding. */
  truth: Promise<Entry | null> | null;
  /** The organisation's revision, if the entry has a lease. */
  revision: string | null;
  /** The hash of the session's token; empty without one. */
  tokenHash: string;
  /** How the page's session with the control database starts; null = it reads the primary. */
  start: string | null;
  /** The hint for later pages, if the browser sent none or one of another session. */
  setCookie: string | null;
};

/** A page request. `later` takes work that continues after the response. */
type Door = { env: Env; services: Services; headers: Headers; later: (work: Promise<unknown>) => void };

/**
 * Authenticates a page request in one round trip: at the organisation's hub, if a cookie names it, otherwise in the
 * control database. A copy without a lease must be confirmed by `truth`, which is read in parallel with the page's data.
 * If the hub fails or has no copy, the control database is read.
 */
export async function enterPage(door: Door): Promise<PageEntrance> {
  const { env, services, headers, later } = door;
  const nobody = { entry: null, truth: null, revision: null, tokenHash: "", start: null, setCookie: null };
  const token = readToken(services, headers);
  if (!token) return nobody;
  const tokenHash = await sha256Hex(token);
  const hint = await readHubHint(services, headers, tokenHash);
  const answer = hint === null ? null : await askHub(env, hint, tokenHash);
  const copy = answer && copyIn(answer, { hint, now: services.clock.now() });
  if (copy?.isLeased) {
    later(noteUse(services, copy.entry));
    const { entry, revision, start } = copy;
    return { ...nobody, entry, revision, tokenHash, start };
  }
  const truth = findEntry(services, tokenHash).then((entry) => {
    if (entry === null) return null;
    later(noteUse(services, entry));
    if (answer && entry.member.organisationId === hint)
      later(storeCopy(env, entry, { tokenHash, ticket: answer.ticket }));
    return entry;
  });
  // The caller awaits it later. Until then a rejection must not count as unhandled.
  truth.catch(() => undefined);
  if (copy) return { ...nobody, entry: copy.entry, truth, tokenHash, start: copy.start };
  const entry = await truth;
  if (entry === null) return nobody;
  const { organisationId } = entry.member;
  // Clients that send no cookies would not send the hint either.
  if (hint === organisationId || !headers.has("Cookie")) return { ...nobody, entry, tokenHash };
  later(cacheSession(door, { organisationId, tokenHash }));
  const setCookie = await formatHubHint(services, { organisationId, tokenHash });
  return { ...nobody, entry, tokenHash, setCookie };
}

/** Stores a copy of a new session in the hub, for the next page. The ticket must be older than the read. */
async function cacheSession(
  { env, services }: Door,
  { organisationId, tokenHash }: { organisationId: string; tokenHash: string },
): Promise<void> {
  const answer = await askHub(env, organisationId, tokenHash);
  const entry = answer && (await findEntry(services, tokenHash));
  if (entry) await storeCopy(env, entry, { tokenHash, ticket: answer.ticket });
}

/** True when person, rights, connections and subscriptions are equal. */
export function isSameEntry(one: Entry | null, other: Entry | null): boolean {
  return factsOf(one) === factsOf(other);
}

function factsOf(entry: Entry | null): string | null {
  if (entry === null) return null;
  const {
    session: { lastActiveAt: _, ...session },
    ...facts
  } = entry;
  return canonicalJson({ ...facts, session });
}

/** The hub's answer; null when it fails. */
async function askHub(env: Env, organisationId: string, tokenHash: string): Promise<Entrance | null> {
  try {
    return await accountHub(env, organisationId).enter(tokenHash);
  } catch (cause) {
    warn("The hub of {organisationId} was not asked: {cause}", organisationId, cause);
    return null;
  }
}

/** The entry in the hub's answer. Null if there is none, if another release wrote it, or if the session has ended. */
function copyIn(answer: Entrance, { hint, now }: { hint: string | null; now: number }) {
  if (answer.kind === "unknown") return null;
  const read = entryForm.read(JSON.parse(answer.facts));
  if (read.kind === "unreadable") return null;
  const entry: Entry = read.value;
  const { isLeased, revision, start } = answer;
  if (entry.member.organisationId !== hint || (isLeased && isSessionOver(entry, now))) return null;
  return { entry, isLeased, revision, start };
}

async function storeCopy(
  env: Env,
  entry: Entry,
  { tokenHash, ticket }: { tokenHash: string; ticket: string },
): Promise<void> {
  const { userId, organisationId } = entry.member;
  const facts = JSON.stringify(entryForm.write(entry));
  try {
    await accountHub(env, organisationId).learn(tokenHash, ticket, {
      userId,
      sessionId: entry.session.id,
      facts,
    });
  } catch (cause) {
    warn("The hub of {organisationId} did not learn a session: {cause}", organisationId, cause);
  }
}

function warn(text: string, organisationId: string, cause: unknown): void {
  logger("pages").warn(text, {
    organisationId,
    cause: cause instanceof Error ? cause.message : String(cause),
  });
}
