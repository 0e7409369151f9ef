import { type LiveEvent, liveMessageSchema, liveWelcomeSchema } from "#core/live/events.schema.ts";
import { applyJobEvent, jobsFromWelcome, NO_JOBS, type RunningJobs } from "./running-jobs.ts";
import { type SequenceState, stepEvent, stepWelcome } from "./sequence.ts";

/** `reconnecting`: it was open and has been away for a while; what is shown may be old until it is open again. */
export type LiveStatus = "connecting" | "open" | "reconnecting";

/** What a screen hears. `resync`: messages were missed; whatever was loaded has to be fetched again. */
export type LiveSignal = { kind: "event"; event: LiveEvent } | { kind: "resync" };
/** A socket that comes back sooner is not spoken of, in ms: the server ends each one now and then to check its session. */
export const AWAY_SHOWN_MS = 2_000;

export type LiveListener = (signal: LiveSignal) => void;

/** The part of a (reconnecting) WebSocket that the client needs. */
export type LiveSocket = Pick<EventTarget, "addEventListener" | "removeEventListener">;

export type LiveClient = {
  /** Listens to a socket until the returned function is called. */
  attach: (socket: LiveSocket) => () => void;
  subscribe: (listener: LiveListener) => () => void;
  /** Tells the screens that more may have changed than was heard. */
  resync: () => void;
  /** Called whenever `status` or `jobs` may give another answer. */
  onChange: (callback: () => void) => () => void;
  status: () => LiveStatus;
  jobs: () => RunningJobs;
};

/**
 * The live connection without React: counts messages, drops repeated ones, keeps what runs, and tells the screens when
 * something was missed. Knows nothing of how the socket reconnects. `readAt` returns when what is shown was read, in epoch
 * ms of the server.
 */
export function createLiveClient({ readAt }: { readAt: () => number }): LiveClient {
  let status: LiveStatus = "connecting";
  let jobs: RunningJobs = NO_JOBS;
  let sequence: SequenceState = { last: null };
  const listeners = new Set<LiveListener>();
  const watchers = new Set<() => void>();

  const tell = (signal: LiveSignal) => {
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
    jobs = message.kind === "welcome" ? jobsFromWelcome(message.welcome) : applyJobEvent(jobs, message.event);
    if (jobs !== before) changed();
    if (message.kind === "event" && !isLate(message.event, jobs))
      tell({ kind: "event", event: message.event });
    if (step.isGap) tell({ kind: "resync" });
  };

  return {
    attach: (socket) => {
      let away: ReturnType<typeof setTimeout> | undefined;
      const onOpen = () => {
        clearTimeout(away);
        away = undefined;
        setStatus("open");
      };
      /* Heard again at every attempt that fails, while the first one's time runs. */
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
    resync: () => tell({ kind: "resync" }),
    onChange: (callback) => {
      watchers.add(callback);
      return () => watchers.delete(callback);
    },
    status: () => status,
    jobs: () => jobs,
  };
}

/** Progress that arrives after the end of its run would bring the run back to life on every screen. */
function isLate(event: LiveEvent, { ended }: RunningJobs): boolean {
  return event.method === "item-progress" && ended.includes(event.progress.runId);
}

type Incoming =
  | { kind: "welcome"; welcome: ReturnType<typeof liveWelcomeSchema.parse> }
  | { kind: "event"; seq: number; event: LiveEvent };

/** Messages of a newer server that this page does not know are passed over; their number is then seen as a gap. */
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
