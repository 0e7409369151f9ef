import { callApi } from "#app/api/call-api.ts";
import type { KeyValue } from "#app/session/marker.ts";

/**
 * Set while the start information was rejected with 403 and is requested again in the background (spec A-235, the "test
 * loading" flag). Nothing is shown, and the session continues.
 */
export const TEST_LOADING_KEY = "test-loading";

/** Delay before each further attempt, in ms. */
const WAITS_MS = [2_000, 10_000, 30_000] as const;

/** Sets the flag and retries until an attempt succeeds or none is left. Only success removes the flag. */
export function oweStartInfo(
  session: Pick<KeyValue, "setItem" | "removeItem">,
  { load = loadQuietly, wait = pause }: { load?: () => Promise<unknown>; wait?: typeof pause } = {},
): Promise<boolean> {
  session.setItem(TEST_LOADING_KEY, "true");
  return retry(load, wait).then((isLoaded) => {
    if (isLoaded) session.removeItem(TEST_LOADING_KEY);
    return isLoaded;
  });
}

async function retry(load: () => Promise<unknown>, wait: typeof pause): Promise<boolean> {
  for (const ms of WAITS_MS) {
    await wait(ms);
    const isLoaded = await load().then(
      () => true,
      () => false,
    );
    if (isLoaded) return true;
  }
  return false;
}

function loadQuietly(): Promise<unknown> {
  return callApi("GET user/get-user-start-info", {}, { isQuiet: true });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
