import { DurableObject } from "cloudflare:workers";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import type { LiveEvent, LiveMessage, LiveWelcome } from "#core/live/events.schema.ts";
import { HubStorage } from "./hub-storage.ts";
import { maySee, parseSocketOwner, SOCKET_HEADER, type SocketOwner, socketTags } from "./live-socket.ts";
import { nextWindowStart } from "./throttle-window.ts";

/** Answer to a claim. `opensAt` is when the window opens again, epoch ms. */
export type Claim = { kind: "claimed"; opensAt: number } | { kind: "closed"; opensAt: number };

/**
 * Whose sockets to close: every socket of a person, or of one session. They end for good, or come back at once
 * through the door with the rights they have then.
 */
export type Revocation = ({ userId: string } | { sessionId: string }) & { mayReturn?: boolean };

/** A progress bar is redrawn at most this often per run. */
const PROGRESS_INTERVAL_MS = 250;
/** A bar without word for so long is taken down; the run itself is judged by its lease in the ledger. */
const SILENCE_MS = 15 * MINUTE_MS;
/** A socket is closed after so long and comes back through the door, where its session is checked afresh. */
const SOCKET_LIFETIME_MS = 15 * MINUTE_MS;

/** Close codes that a client can tell apart: signed out for good, or come back at once. */
export const CLOSE_REVOKED = 4401;
export const CLOSE_RECONNECT = 4408;

type Attachment = SocketOwner & { openedAt: number };
type ProgressEvent = Extract<LiveEvent, { method: "item-progress" }>;

/**
 * One per organisation: the open screens of its people, and the windows of "Backup now".
 *
 * Sockets hibernate, so an account with a hundred idle screens costs nothing. Everything that must outlive an
 * eviction (counts, windows, latest progress) is in SQLite; memory holds only progress that is about to be sent.
 * Answers are tagged unions; no method throws for anything a caller could meet.
 */
export class AccountHub extends DurableObject {
  readonly #storage: HubStorage;
  readonly #pending = new Map<string, ProgressEvent>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#storage = new HubStorage(ctx.storage.sql);
    // Answered by the runtime, so that a keep-alive does not wake the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /** Accepts a socket that the live door has authorised and greets it with the count and the running bars. */
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
   * Sends events to every socket that may see their platform, and remembers the latest progress of running runs.
   * Progress is thinned to one message per run and 250 ms, latest wins; everything else goes out at once. Numbers
   * count per platform, and a socket sees the sum over its platforms: without gaps for everyone, whatever they may see.
   */
  async publish(events: readonly LiveEvent[]): Promise<void> {
    const now = Date.now();
    for (const event of events) {
      if (event.method === "item-progress") this.#progress(event, now);
      else {
        for (const runId of this.#storage.endRuns(event, now)) this.#forgetPending(runId);
        this.#storage.noteNews(event.platform, now);
        this.#send(event);
      }
    }
    if (events.length > 0) await this.#wakeBy(now + SILENCE_MS);
  }

  /**
   * Takes the window of `key` (an item, or a whole place) if it is open. Of any number of callers in one window
   * exactly one is told "claimed". Windows are aligned, see `nextWindowStart`.
   */
  async claim(key: string, now: number, windowMs: number): Promise<Claim> {
    const closedUntil = this.#storage.opensAt(key);
    if (closedUntil !== null && now < closedUntil) return { kind: "closed", opensAt: closedUntil };
    const opensAt = nextWindowStart(now, windowMs);
    this.#storage.claim(key, opensAt);
    await this.#wakeBy(opensAt);
    return { kind: "claimed", opensAt };
  }

  /** Takes each of the windows that is open; those that are closed stay as they are. */
  async claimAll(keys: readonly string[], now: number, windowMs: number): Promise<{ opensAt: number }> {
    const opensAt = nextWindowStart(now, windowMs);
    const closed = this.#storage.opensAtOf(keys, now);
    for (const key of keys) if (closed[key] === undefined) this.#storage.claim(key, opensAt);
    await this.#wakeBy(opensAt);
    return { opensAt };
  }

  /** Gives a window back, when what it was claimed for could not be queued. With `opensAt` only that very claim. */
  async release(key: string, opensAt?: number): Promise<void> {
    this.#storage.release(key, opensAt ?? null);
  }

  /** When each key opens again, epoch ms; keys that are open at `now` are absent. */
  async opensAt(keys: readonly string[], now: number): Promise<Record<string, number>> {
    return this.#storage.opensAtOf(keys, now);
  }

  /** Closes the sockets of a person or session that lost its rights. */
  async revoke(whose: Revocation): Promise<{ closed: number }> {
    const tag = "userId" in whose ? socketTags.user(whose.userId) : socketTags.session(whose.sessionId);
    const sockets = this.ctx.getWebSockets(tag);
    const [code, reason] = whose.mayReturn
      ? ([CLOSE_RECONNECT, "Come back."] as const)
      : ([CLOSE_REVOKED, "Signed out."] as const);
    for (const socket of sockets) closeQuietly(socket, code, reason);
    return { closed: sockets.length };
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    // Screens only listen; the one thing they say is "ping", which the runtime answers before it comes here.
    if (message !== "ping") closeQuietly(socket, 1008, "This socket only listens.");
  }

  override async webSocketClose(socket: WebSocket, code: number, reason: string): Promise<void> {
    closeQuietly(socket, code, reason);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    closeQuietly(socket, 1011, "");
  }

  /** Housekeeping: windows that opened, bars that fell silent, sockets whose session is due for a check. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#storage.sweep(now, now - SILENCE_MS);
    let next = this.#storage.nextSweepAt(SILENCE_MS);
    for (const socket of this.ctx.getWebSockets()) {
      const { openedAt } = socket.deserializeAttachment() as Attachment;
      const endsAt = openedAt + SOCKET_LIFETIME_MS;
      if (endsAt <= now) closeQuietly(socket, CLOSE_RECONNECT, "Come back.");
      else next = next === null ? endsAt : Math.min(next, endsAt);
    }
    // At least a second apart, so that a window that opens this very moment cannot make a busy loop.
    if (next !== null) await this.#wakeBy(Math.max(next, now + 1_000));
  }

  #progress(event: ProgressEvent, now: number): void {
    const { runId } = event.progress;
    // A message that was overtaken by the run's end must not raise the bar again.
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
    for (const socket of this.ctx.getWebSockets()) {
      const owner = socket.deserializeAttachment() as Attachment;
      if (!maySee(owner, event.platform)) continue;
      const message: LiveMessage = { seq: this.#storage.seq(owner.platforms), event };
      try {
        socket.send(JSON.stringify(message));
      } catch {
        // The peer is gone. A dead socket must not keep the message from the living ones.
        closeQuietly(socket, 1011, "");
      }
    }
  }

  /** Makes sure that housekeeping runs at `at` or earlier. */
  async #wakeBy(at: number): Promise<void> {
    const planned = await this.ctx.storage.getAlarm();
    if (planned === null || planned > at) await this.ctx.storage.setAlarm(at);
  }
}

/** Closes a socket that may be closed already. Codes that no program may send (1005, 1006, 1015) become 1000. */
function closeQuietly(socket: WebSocket, code: number, reason: string): void {
  const sendable = code === 1000 || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
  try {
    socket.close(sendable ? code : 1000, reason.slice(0, 120));
  } catch {
    // Already closed: exactly what was wanted.
  }
}
