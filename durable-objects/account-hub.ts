import { DurableObject } from "cloudflare:workers";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import type { LiveEvent, LiveMessage, LiveWelcome } from "#core/live/events.schema.ts";
import { HubStorage } from "./hub-storage.ts";
import { maySee, parseSocketOwner, SOCKET_HEADER, type SocketOwner, socketTags } from "./live-socket.ts";
import { type Entrance, type LearnedSession, SessionCopies } from "./session-copies.ts";
import { nextWindowStart } from "./throttle-window.ts";

/** The result of a claim. `opensAt` is when the window opens again, in epoch ms. */
export type Claim = { kind: "claimed"; opensAt: number } | { kind: "closed"; opensAt: number };

/**
 * Which sockets to close: all sockets of a user, or of one session. With `mayReturn` the client reconnects at once and
 * gets the rights it has then. Otherwise the socket closes for good.
 */
export type Revocation = ({ userId: string } | { sessionId: string }) & { mayReturn?: boolean };

/** Minimum time between two progress events of the same run. */
const PROGRESS_INTERVAL_MS = 250;
/**
 * A progress bar without updates for this long is removed. The run's lease in the ledger decides whether the run is
 * dead.
 */
const SILENCE_MS = 15 * MINUTE_MS;
/** A socket is closed after this long. The client reconnects, and its session is checked again. */
const SOCKET_LIFETIME_MS = 15 * MINUTE_MS;

/** Maximum windows in one list. A page about items of an organisation with more asks for its own. */
const MOST_LISTED = 1_000;

/** Close codes for the client: signed out for good, or reconnect at once. */
export const CLOSE_REVOKED = 4401;
export const CLOSE_RECONNECT = 4408;

type Attachment = SocketOwner & { openedAt: number };
type ProgressEvent = Extract<LiveEvent, { method: "item-progress" }>;

/**
 * One object per organisation. It holds the open sockets of its members, the "Backup now" windows, and copies of its
 * members' sessions and rights, so that a page need not ask the control database first.
 *
 * Sockets hibernate, so idle screens cost nothing. Everything that must survive an eviction (counts, windows, latest
 * progress) is in SQLite. Memory only holds progress that is about to be sent. Methods return tagged unions and do not
 * throw for errors that a caller can expect.
 */
export class AccountHub extends DurableObject {
  readonly #storage: HubStorage;
  readonly #copies: SessionCopies;
  readonly #pending = new Map<string, ProgressEvent>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#storage = new HubStorage(ctx.storage.sql);
    this.#copies = new SessionCopies(ctx.storage.sql, Date.now());
    // The runtime answers pings, so a keep-alive does not wake the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /**
   * Accepts a socket that the `/ws` route has authorised. Sends a welcome with the sequence number and the progress of
   * running runs.
   */
  override async fetch(request: Request): Promise<Response> {
    const owner = parseSocketOwner(request.headers.get(SOCKET_HEADER));
    if (!owner) return new Response("This socket was not opened by the live door.", { status: 400 });
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return new Response("Expected a websocket.", { status: 426, headers: { upgrade: "websocket" } });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    const now = Date.now();
    this.ctx.acceptWebSocket(server, [socketTags.user(owner.userId), socketTags.session(owner.sessionId)]);
    server.serializeAttachment({ ...owner, openedAt: now } satisfies Attachment);
    const welcome: LiveWelcome = {
      method: "welcome",
      seq: this.#storage.seq(owner.platforms),
      newestAt: this.#storage.newestAt(owner.platforms),
      running: this.#storage.running(owner.platforms, now - SILENCE_MS),
    };
    server.send(JSON.stringify(welcome));
    await this.#wakeBy(now + SOCKET_LIFETIME_MS);
    return new Response(null, { status: 101, webSocket: client });
  }

  /**
   * Sends events to every socket that may see their platform, and stores the latest progress of each running run.
   * Progress is throttled to one message per run every 250 ms; the latest wins. All other events are sent at once.
   * Events are counted per platform, and a socket's sequence number is the sum over its platforms. So no socket sees a
   * gap.
   */
  async publish(events: readonly LiveEvent[]): Promise<void> {
    const now = Date.now();
    for (const event of events) {
      if (event.method === "item-progress") this.#progress(event, now);
      else {
        for (const runId of this.#storage.endRuns(event, now)) this.#forgetPending(runId);
        this.#storage.noteNews(event.platform, now);
        const isRight = event.method === "connection-changed" || event.method === "subscription-changed";
        if (isRight) this.#copies.expireLeases(null, now);
        else this.#copies.noteChange(now);
        this.#send(event);
      }
    }
    if (events.length > 0) await this.#wakeBy(now + SILENCE_MS);
  }

  /**
   * Claims the window of `key` (an item or a whole place) if it is open. Only one caller per window gets "claimed".
   * Windows are aligned, see `nextWindowStart`.
   */
  async claim(key: string, now: number, windowMs: number): Promise<Claim> {
    const closedUntil = this.#storage.opensAt(key);
    if (closedUntil !== null && now < closedUntil) return { kind: "closed", opensAt: closedUntil };
    const opensAt = nextWindowStart(now, windowMs);
    this.#storage.claim(key, opensAt);
    await this.#wakeBy(opensAt);
    return { kind: "claimed", opensAt };
  }

  /** Claims every window that is open. Closed windows do not change. */
  async claimAll(keys: readonly string[], now: number, windowMs: number): Promise<{ opensAt: number }> {
    const opensAt = nextWindowStart(now, windowMs);
    const closed = this.#storage.opensAtOf(keys, now);
    for (const key of keys) if (closed[key] === undefined) this.#storage.claim(key, opensAt);
    await this.#wakeBy(opensAt);
    return { opensAt };
  }

  /** Releases a window when the claimed work could not be queued. With `opensAt`, releases only that claim. */
  async release(key: string, opensAt?: number): Promise<void> {
    this.#storage.release(key, opensAt ?? null);
  }

  /** When each key opens again, in epoch ms. Keys that are open at `now` are omitted. */
  async opensAt(keys: readonly string[], now: number): Promise<Record<string, number>> {
    return this.#storage.opensAtOf(keys, now);
  }

  /**
   * Returns the copy of a session. `key` is the hash of its token. Without a lease the control database must confirm the
   * copy.
   */
  async enter(key: string): Promise<Entrance> {
    return this.#copies.enter(key, Date.now());
  }

  /** Stores a copy of a session that was read after `ticket` was issued, unless copies were dropped since. */
  async learn(
    key: string,
    ticket: string,
    learned: LearnedSession,
  ): Promise<{ kind: "learned" | "refused" }> {
    const isLearned = this.#copies.learn(key, ticket, learned);
    const sweepAt = this.#copies.nextSweepAt();
    if (isLearned && sweepAt !== null) await this.#wakeBy(sweepAt);
    return { kind: isLearned ? "learned" : "refused" };
  }

  /** Every window that is closed at `now`, with the time it opens again. Null = too many to list. */
  async closed(now: number): Promise<Record<string, number> | null> {
    return this.#storage.closed(now, MOST_LISTED);
  }

  /**
   * Called after a member's write: changes the revision and ends all leases. Pages then read a control database that has
   * reached the bookmark; null = the primary, for a minute.
   */
  async changed(bookmark: string | null): Promise<void> {
    this.#copies.expireLeases(bookmark, Date.now());
  }

  /** Drops the copies of a user or session that lost its rights, and closes its sockets. */
  async revoke(whose: Revocation): Promise<{ closed: number }> {
    this.#copies.drop(whose, Date.now());
    const tag = "userId" in whose ? socketTags.user(whose.userId) : socketTags.session(whose.sessionId);
    const sockets = this.ctx.getWebSockets(tag);
    const [code, reason] = whose.mayReturn
      ? ([CLOSE_RECONNECT, "Come back."] as const)
      : ([CLOSE_REVOKED, "Signed out."] as const);
    for (const socket of sockets) closeQuietly(socket, code, reason);
    return { closed: sockets.length };
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    // Clients only send "ping", and the runtime answers those.
    if (message !== "ping") closeQuietly(socket, 1008, "This socket only listens.");
  }

  override async webSocketClose(socket: WebSocket, code: number, reason: string): Promise<void> {
    closeQuietly(socket, code, reason);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    closeQuietly(socket, 1011, "");
  }

  /** Removes expired windows and silent runs, and closes sockets whose session is due for a check. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#storage.sweep(now, now - SILENCE_MS);
    this.#copies.sweep(now);
    let next = earliest(this.#storage.nextSweepAt(SILENCE_MS), this.#copies.nextSweepAt());
    for (const socket of this.ctx.getWebSockets()) {
      const { openedAt } = socket.deserializeAttachment() as Attachment;
      const endsAt = openedAt + SOCKET_LIFETIME_MS;
      if (endsAt <= now) closeQuietly(socket, CLOSE_RECONNECT, "Come back.");
      else next = earliest(next, endsAt);
    }
    // Wait at least a second, so that a window that opens right now cannot cause a busy loop.
    if (next !== null) await this.#wakeBy(Math.max(next, now + 1_000));
  }

  #progress(event: ProgressEvent, now: number): void {
    const { runId } = event.progress;
    // Progress that arrives after the run ended must not show the progress bar again.
    if (!this.#storage.noteProgress(event, now)) return;
    if (this.#timers.has(runId)) {
      this.#pending.set(runId, event);
      return;
    }
    this.#send(event);
    this.#timers.set(
      runId,
      setTimeout(() => this.#flush(runId), PROGRESS_INTERVAL_MS),
    );
  }

  #flush(runId: string): void {
    this.#timers.delete(runId);
    const latest = this.#pending.get(runId);
    if (!latest) return;
    this.#pending.delete(runId);
    this.#send(latest);
    this.#timers.set(
      runId,
      setTimeout(() => this.#flush(runId), PROGRESS_INTERVAL_MS),
    );
  }

  #forgetPending(runId: string): void {
    this.#pending.delete(runId);
    clearTimeout(this.#timers.get(runId));
    this.#timers.delete(runId);
  }

  #send(event: LiveEvent): void {
    this.#storage.count(event.platform);
    /** The message for each set of rights: most sockets have the same. */
    const messages = new Map<string, string>();
    const messageFor = (platforms: Attachment["platforms"]) => {
      const message: LiveMessage = { seq: this.#storage.seq(platforms), event };
      return JSON.stringify(message);
    };
    for (const socket of this.ctx.getWebSockets()) {
      const owner = socket.deserializeAttachment() as Attachment;
      if (!maySee(owner, event.platform)) continue;
      const rights = JSON.stringify(owner.platforms);
      const message = messages.get(rights) ?? messageFor(owner.platforms);
      messages.set(rights, message);
      try {
        socket.send(message);
      } catch {
        // The peer is gone. Continue with the other sockets.
        closeQuietly(socket, 1011, "");
      }
    }
  }

  /** Schedules the alarm for `at`, unless it is already due earlier. */
  async #wakeBy(at: number): Promise<void> {
    const planned = await this.ctx.storage.getAlarm();
    if (planned === null || planned > at) await this.ctx.storage.setAlarm(at);
  }
}

/** The earlier of two times; null = never. */
function earliest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Closes a socket that may already be closed. Codes that may not be sent (1005, 1006, 1015 …) become 1000. */
function closeQuietly(socket: WebSocket, code: number, reason: string): void {
  const sendable = code === 1000 || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
  try {
    socket.close(sendable ? code : 1000, reason.slice(0, 120));
  } catch {
    // Already closed.
  }
}
