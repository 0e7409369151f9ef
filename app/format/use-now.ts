import { useEffect, useState } from "react";

/**
 * The page's current time: first the server's (so that both renderings agree), then the browser's, updated every
 * `everyMs`. With `until` it also updates exactly at that time (spec P-216: re-enabled without reload).
 */
export function useNow(serverNow: number, everyMs = 60_000, until: number | null = null): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const interval = setInterval(tick, everyMs);
    const wait = until === null ? -1 : until - Date.now();
    const moment = wait > 0 && wait < 2 ** 31 ? setTimeout(tick, wait + 50) : undefined;
    return () => {
      clearInterval(interval);
      clearTimeout(moment);
    };
  }, [everyMs, until]);
  return now;
}
