import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { nextReportAt, reportActivity } from "./activity.ts";
import { announce, hearNews } from "./announce.ts";
import { rememberPage } from "./last-page.ts";
import { leave } from "./leave.ts";
import {
  browserStores,
  isTimeOff,
  MARKER_KEY,
  readMarker,
  recordActivity,
  type SessionState,
  sessionState,
} from "./marker.ts";

/** Events that count as activity (spec A-286). Loading a page counts too. */
const EVENTS = ["click", "keydown", "scroll"] as const;

/** Scroll events fire on every frame. They are recorded this often, and once more when scrolling stops. */
const SCROLL_MS = 250;

/**
 * Tracks activity on a signed-in page: extends the marker, stores the last page, reports to the server, ends the
 * session after ten minutes without activity, and signs out when another tab did. If the installation allows it,
 * `timeoff` in the URL keeps the session alive, here and on the server (spec A-291).
 */
export function useInactivity(
  sub: string,
  { mayTimeOff }: { mayTimeOff: boolean },
): { state: SessionState; stay: () => void } {
  const { pathname, search } = useLocation();
  const [state, setState] = useState<SessionState>({ kind: "active", changesInMs: 0 });
  const path = useRef(pathname + search);
  path.current = pathname + search;
  const isOff = useRef(false);
  const activity = useRef({ lastActivityAt: 0, lastReportAt: 0 });
  const timers = useRef<{ state?: Timer; report?: Timer; scroll?: Timer }>({});

  const look = useCallback(() => {
    clearTimeout(timers.current.state);
    const marker = readMarker(browserStores());
    if (marker === null) return;
    const next: SessionState = isOff.current
      ? { kind: "active", changesInMs: Number.POSITIVE_INFINITY }
      : sessionState(marker.expiresAt, Date.now());
    setState((current) => (current.kind === "active" && next.kind === "active" ? current : next));
    if (next.kind === "ended") return void leave("idle");
    if (next.kind === "active" && next.changesInMs === Number.POSITIVE_INFINITY) return;
    const wait = next.kind === "active" ? next.changesInMs : Math.min(next.leftMs, 1_000);
    timers.current.state = setTimeout(look, wait);
  }, []);

  const report = useCallback(() => {
    clearTimeout(timers.current.report);
    const at = nextReportAt({ ...activity.current, isTimeOff: isOff.current });
    if (at === null) return;
    timers.current.report = setTimeout(
      () => {
        activity.current.lastReportAt = Date.now();
        void reportActivity();
        report();
      },
      Math.max(0, at - Date.now()),
    );
  }, []);

  const record = useCallback(() => {
    const now = Date.now();
    const stores = browserStores();
    const { expiresAt } = recordActivity(stores, { sub, now });
    rememberPage(stores.local, { sub, path: path.current });
    announce({ kind: "active", expiresAt });
    activity.current.lastActivityAt = now;
    report();
    look();
  }, [sub, look, report]);

  useEffect(() => {
    isOff.current ||= mayTimeOff && isTimeOff(search);
    /* Loading the page was itself a call of the session. */
    activity.current.lastReportAt = Date.now() + 1;
    record();
    const onEvent = (event: Event) => {
      if (event.type !== "scroll") return record();
      timers.current.scroll ??= setTimeout(() => {
        timers.current.scroll = undefined;
        record();
      }, SCROLL_MS);
    };
    for (const name of EVENTS) window.addEventListener(name, onEvent, { capture: true, passive: true });
    /* Timers do not run while the machine sleeps. */
    document.addEventListener("visibilitychange", look);
    const held = timers.current;
    return () => {
      for (const name of EVENTS) window.removeEventListener(name, onEvent, { capture: true });
      document.removeEventListener("visibilitychange", look);
      for (const timer of Object.values(held)) clearTimeout(timer);
      held.scroll = undefined;
    };
  }, [search, mayTimeOff, record, look]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: -- store the page on every navigation
  useEffect(() => rememberPage(browserStores().local, { sub, path: path.current }), [sub, pathname, search]);
  useOtherTabs(look);
  return { state, stay: record };
}

type Timer = ReturnType<typeof setTimeout>;

/** Handles other tabs: their activity counts here, and signing out there signs out here (spec A-292). */
function useOtherTabs(look: () => void): void {
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.storageArea !== window.localStorage) return;
      if (event.key !== null && event.key !== MARKER_KEY) return;
      if (event.key === MARKER_KEY && event.newValue !== null) return look();
      if (event.key === null || event.oldValue !== null) void leave("elsewhere");
    };
    window.addEventListener("storage", onStorage);
    const stop = hearNews((news) => {
      if (news.kind === "signed-out") return void leave("elsewhere");
      const stores = browserStores();
      const own = stores.session.getItem(MARKER_KEY);
      const marker = readMarker(stores);
      if (own !== null && marker !== null && news.expiresAt > marker.expiresAt) {
        stores.session.setItem(MARKER_KEY, JSON.stringify({ ...marker, expiresAt: news.expiresAt }));
      }
      look();
    });
    return () => {
      window.removeEventListener("storage", onStorage);
      stop();
    };
  }, [look]);
}
