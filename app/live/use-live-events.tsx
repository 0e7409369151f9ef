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
import type { LiveClient, LiveListener, LiveStatus } from "./live-client.ts";
import type { openLive } from "./open-live.ts";
import { actionsOf, type JobBadge, jobBadge, NO_JOBS, type RunningJobs } from "./running-jobs.ts";
import { RefreshProvider, useRefresh } from "./use-refresh.tsx";

const LiveContext = createContext<LiveClient | null>(null);

type LiveProviderProps = PropsWithChildren<{
  /** The signed-in person: a routing hint, held against the session by the server. */
  sub: string;
  /** When the page was read, in epoch ms of the server. */
  readAt: number;
  /** Address of the socket; the page's own `/ws` when absent. */
  url?: string;
}>;

/**
 * Keeps one socket for the whole signed-in shell and hands its events to the screens. Messages are only hints: after a gap
 * or a dropped connection the loaders run again, so that what is shown is right again without a reload.
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
    /* The page is whole without it: the connection is fetched once it stands. */
    void import("./open-live.ts").then(({ openLive }) => {
      if (isGone) return;
      const opened = openLive(addressOf(url ?? "/ws", sub), sub, () => latestReadAt.current);
      close = opened.close;
      /* Part of the page may still be waiting for its chunk; it is hydrated first, not drawn anew. */
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
        /* Frame, list and connector all show how an account stands. */
        if (signal.kind === "resync" || signal.event.method === "connection-changed") refresh();
      }),
    [client, refresh],
  );
  /* After the screens' effects: what is said before they listen would be lost. */
  useEffect(() => live?.connect(), [live]);
  return <LiveContext.Provider value={client}>{children}</LiveContext.Provider>;
}

/** Hears every fresh event, and every `resync` after which more may have changed than was heard. */
export function useLiveEvents(listener: LiveListener): void {
  const client = useContext(LiveContext);
  const current = useLatest(listener);
  useEffect(() => client?.subscribe((signal) => current.current(signal)), [client, current]);
}

/** How the connection stands; `connecting` outside a provider and while the server draws the page. */
export function useLiveStatus(): LiveStatus {
  const client = useContext(LiveContext);
  return useSyncExternalStore(client?.onChange ?? noChange, client?.status ?? connecting, connecting);
}

/** What runs now, from the welcome and the events since. */
export function useRunningJobs(): RunningJobs {
  const client = useContext(LiveContext);
  return useSyncExternalStore(client?.onChange ?? noChange, client?.jobs ?? noJobs, noJobs);
}

/** How long a badge says that all is complete, in ms (the spec's time for passing messages). */
export const COMPLETE_SHOWN_MS = 3000;

/**
 * The badge of what runs on a platform (null = everywhere). Says `complete` for a moment when the last action has ended.
 * A list passes the actions of its own rows instead, which also count items waiting for their first backup.
 */
export function useJobBadge(platform: string | null, own?: readonly ("backup" | "restore")[]): JobBadge {
  const jobs = useRunningJobs();
  const types = own ?? actionsOf(jobs, platform);
  const key = types.join(" ");
  const [badge, setBadge] = useState<JobBadge>(() => jobBadge(types, { kind: "none" }));
  const latest = useLatest(types);
  // biome-ignore lint/correctness/useExhaustiveDependencies(key): the joined types stand for the array, which is new at every render
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
