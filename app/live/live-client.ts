import { type LiveEvent, liveMessageSchema, liveWelcomeSchema } from "#core/live/events.schema.ts";
import { applyJobEvent, jobsFromWelcome, NO_JOBS, type RunningJobs } from "./running-jobs.ts";
import { type SequenceState, stepEvent, stepWelcome } from "./sequence.ts";

/**
 * `reconnecting`: the connection was open and has been lost for a while. Shown data may be stale until it is open
 * again.
 */
export type LiveStatus = "connecting" | "open" | "reconnecting";

/** A signal to a screen. `resync`: messages were missed, so all loaded data must be refetched. */
export type LiveSignal = { kind: "event"; event: LiveEvent } | { kind: "resync" };
/** A shorter interruption is not shown, in ms: the server closes each socket periodically to check its session. */
export const AWAY_SHOWN_MS = 2_000;

export type LiveListener = (signal: LiveSignal) => void;

/** The part of a (reconnecting) WebSocket that is used here. */
export type LiveSocket = Pick<EventTarget, "addEventListener" | "removeEventListener">;

export type LiveClient = {
  /** Listens to a socket until the returned function is called. */
  attach: (socket: LiveSocket) => () => void;
  subscribe: (listener: LiveListener) => () => void;
  /** Tells the screens that events may have been missed. */
  resync: () => void;
  /** Calls back when `status` or `jobs` may have changed. */
  onChange: (callback: () => void) => () => void;
  status: () => LiveStatus;
  jobs: () => RunningJobs;
};

/**
 * The live connection, independent of React. Counts messages, drops duplicates, keeps the running jobs, and signals a
 * resync when messages were missed. The socket handles reconnects. `readAt` returns when the shown data was read, in
 * the server's epoch ms.
 */
export function createLiveClient({ readAt }: { readAt: () => number }): LiveClient {
  let status: LiveStatus = "connecting";
  let jobs: RunningJobs = NO_JOBS;
  let sequence: SequenceState = { last: null };
  const listeners = new Set<LiveListener>();
  const watchers = new Set<() => void>();

  const publish = (signal: LiveSignal) => {
    for (const listener of listeners) listener(signal);
  };
  const changed = () => {
    for (const watcher of watchers) watcher();
  };
  const setStatus = (next: LiveStatus) => {
    if (next === status) return;
    status = next;
    changed();
  };
  const receive = (data: unknown) => {
    const message = parseMessage(data);
    if (message === null) return;
    const step =
      message.kind === "welcome"
        ? stepWelcome(sequence, message.welcome, readAt())
        : stepEvent(sequence, message.seq);
    sequence = step.state;
    if (!step.isFresh) return;
    const before = jobs;
    jobs =
      message.kind === "welcome"
        ? jobsFromWelcome(message.welcome, jobs.tally)
        : applyJobEvent(jobs, message.event);
    if (jobs !== before) changed();
    if (message.kind === "event" && !isLate(message.event, jobs))
      publish({ kind: "event", event: message.event });
    if (step.isGap) publish({ kind: "resync" });
  };

  return {
    attach: (socket) => {
      let away: ReturnType<typeof setTimeout> | undefined;
      const onOpen = () => {
        clearTimeout(away);
        away = undefined;
        setStatus("open");
      };
      /* Every failed attempt closes again; the timer of the first close keeps running. */
      const onClose = () => {
        if (status === "connecting") return;
        away ??= setTimeout(() => setStatus("reconnecting"), AWAY_SHOWN_MS);
      };
      const onMessage = (event: Event) => receive((event as MessageEvent).data);
      socket.addEventListener("open", onOpen);
      socket.addEventListener("close", onClose);
      socket.addEventListener("message", onMessage);
      return () => {
        clearTimeout(away);
        socket.removeEventListener("open", onOpen);
        socket.removeEventListener("close", onClose);
        socket.removeEventListener("message", onMessage);
      };
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resync: () => publish({ kind: "resync" }),
    onChange: (callback) => {
      watchers.add(callback);
      return () => watchers.delete(callback);
    },
    status: () => status,
    jobs: () => jobs,
  };
}

/** Progress that arrives after the end of its run would show the run as active again. */
function isLate(event: LiveEvent, { ended }: RunningJobs): boolean {
  return event.method === "item-progress" && ended.includes(event.progress.runId);
}

type Incoming =
  | { kind: "welcome"; welcome: ReturnType<typeof liveWelcomeSchema.parse> }
  | { kind: "event"; seq: number; event: LiveEvent };

/** Unknown messages of a newer server are skipped. The missing sequence number is then handled as a gap. */
function parseMessage(data: unknown): Incoming | null {
  if (typeof data !== "string") return null;
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return null;
  }
  const welcome = liveWelcomeSchema.safeParse(json);
  if (welcome.success) return { kind: "welcome", welcome: welcome.data };
  const message = liveMessageSchema.safeParse(json);
  return message.success ? { kind: "event", seq: message.data.seq, event: message.data.event } : null;
}
