import { useEffect, useState } from "react";

/**
 * The time that a page reckons with: first the server's (so that both renderings agree), then the machine's own,
 * again every `everyMs`. With `until` it also wakes exactly at that moment (spec P-216: re-enabled without reload).
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
