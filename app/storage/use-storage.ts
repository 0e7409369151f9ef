import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import type { StorageOverview } from "./storage-calls.ts";
import { fetchStorage } from "./storage-calls.ts";

/** How often to refetch while a consent page is open in another tab or copies are pending, in ms. */
const LOOK_AGAIN_MS = 3_000;

/** The storage overview. Refetched every few seconds while `isWatching`, and whenever the page becomes visible. */
export function useStorage(isWatching: boolean): {
  overview: StorageOverview | null;
  failure: string | null;
  refresh: () => Promise<void>;
} {
  const [overview, setOverview] = useState<StorageOverview | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const flight = useRef<AbortController | null>(null);
  const refresh = useCallback(async () => {
    flight.current?.abort();
    const own = new AbortController();
    flight.current = own;
    try {
      setOverview(await fetchStorage(own.signal));
      setFailure(null);
    } catch (cause) {
      if (own.signal.aborted) return;
      if (!(cause instanceof ApiError)) throw cause;
      setFailure(cause.message);
    }
  }, []);
  useEffect(() => {
    void refresh();
    return () => flight.current?.abort();
  }, [refresh]);
  useEffect(() => {
    if (!isWatching) return;
    const look = () => void refresh();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    window.addEventListener("focus", look);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", look);
    };
  }, [isWatching, refresh]);
  return { overview, failure, refresh };
}
