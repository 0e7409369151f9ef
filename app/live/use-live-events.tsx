import {
  createContext,
  type PropsWithChildren,
  startTransition,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { LiveEvent } from "#core/live/events.schema.ts";
import type { LiveClient, LiveListener, LiveStatus } from "./live-client.ts";
import type { openLive } from "./open-live.ts";
import { actionsOf, type JobBadge, jobBadge, NO_JOBS, type RunningJobs } from "./running-jobs.ts";
import { RefreshProvider, useRefresh } from "./use-refresh.tsx";

const LiveContext = createContext<LiveClient | null>(null);

type LiveProviderProps = PropsWithChildren<{
  /** Id of the signed-in user: a routing hint that the server checks against the session. */
  sub: string;
  /** When the page's data was read, in the server's epoch ms. */
  readAt: number;
  /** URL of the socket; defaults to the page's own `/ws`. */
  url?: string;
}>;

/**
 * Keeps one socket for the whole signed-in shell and passes its events to the screens. Messages are only hints: after a
 * gap or a lost connection the loaders run again, so that the page is correct without a reload.
 */
export function LiveProvider({ children, ...socket }: LiveProviderProps) {
  return (
    <RefreshProvider>
      <SocketProvider {...socket}>{children}</SocketProvider>
    </RefreshProvider>
  );
}

function SocketProvider({ sub, readAt, url, children }: LiveProviderProps) {
  const refresh = useRefresh();
  const latestReadAt = useLatest(readAt);
  const [live, setLive] = useState<ReturnType<typeof openLive> | null>(null);
  const client = live?.client ?? null;
  useEffect(() => {
    let isGone = false;
    let close = () => {};
    /* The page works without the connection, so it is loaded after rendering. */
    void import("./open-live.ts").then(({ openLive }) => {
      if (isGone) return;
      const opened = openLive(addressOf(url ?? "/ws", sub), sub, () => latestReadAt.current);
      close = opened.close;
      /* Parts of the page may still wait for their chunk. A transition lets them hydrate instead of re-rendering. */
      startTransition(() => setLive(opened));
    });
    return () => {
      isGone = true;
      close();
    };
  }, [sub, url, latestReadAt]);
  useEffect(
    () =>
      client?.subscribe((signal) => {
        if (signal.kind === "resync" || REFRESHED.has(signal.event.method)) refresh();
      }),
    [client, refresh],
  );
  /* Connect after the screens' effects: messages before they subscribe would be lost. */
  useEffect(() => live?.connect(), [live]);
  return <LiveContext.Provider value={client}>{children}</LiveContext.Provider>;
}

/** Frame, lists and connector all show the account's status, and what the plan allows. */
const REFRESHED: ReadonlySet<LiveEvent["method"]> = new Set(["connection-changed", "subscription-changed"]);

/** Subscribes to every new event, and to every `resync`, which means that events may have been missed. */
export function useLiveEvents(listener: LiveListener): void {
  const client = useContext(LiveContext);
  const current = useLatest(listener);
  useEffect(() => client?.subscribe((signal) => current.current(signal)), [client, current]);
}

/** The connection's status; `connecting` outside a provider and on the server. */
export function useLiveStatus(): LiveStatus {
  const client = useContext(LiveContext);
  return useSyncExternalStore(client?.onChange ?? noChange, client?.status ?? connecting, connecting);
}

/** The running jobs, from the welcome and the events since. */
export function useRunningJobs(): RunningJobs {
  const client = useContext(LiveContext);
  return useSyncExternalStore(client?.onChange ?? noChange, client?.jobs ?? noJobs, noJobs);
}

/** How long the badge shows `complete`, in ms (the spec's time for transient messages). */
export const COMPLETE_SHOWN_MS = 3000;

/**
 * The badge of a platform's running actions (null = all platforms). Shows `complete` for a moment after the last
 * action. A list passes the actions of its own rows instead, which include items waiting for their first backup.
 */
export function useJobBadge(platform: string | null, own?: readonly ("backup" | "restore")[]): JobBadge {
  const jobs = useRunningJobs();
  const types = own ?? actionsOf(jobs, platform);
  const key = types.join(" ");
  const [badge, setBadge] = useState<JobBadge>(() => jobBadge(types, { kind: "none" }));
  const latest = useLatest(types);
  // biome-ignore lint/correctness/useExhaustiveDependencies(key): the joined types represent the array
  useEffect(() => {
    setBadge((previous) => jobBadge(latest.current, previous));
  }, [key, latest]);
  useEffect(() => {
    if (badge.kind !== "complete") return;
    const timer = setTimeout(() => setBadge({ kind: "none" }), COMPLETE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [badge]);
  return badge;
}

function useLatest<T>(value: T) {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  return latest;
}

function addressOf(url: string, sub: string): string {
  const address = new URL(url, window.location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.searchParams.set("sub", sub);
  return address.href;
}

const noChange = () => () => {};
const connecting = (): LiveStatus => "connecting";
const noJobs = () => NO_JOBS;
