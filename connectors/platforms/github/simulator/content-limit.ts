import type { Context } from "hono";
import type { Viewer } from "./access.ts";
import { quotaKey } from "./rate-limit.ts";
import type { GithubWorld } from "./state.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DOCS = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits";

/**
 * Applies the secondary limit on creating content, which GitHub documents as 80 a minute and 500 an hour. Returns null
 * below the limit, otherwise the refusal with `Retry-After`.
 */
export function secondaryLimit(c: Context, world: GithubWorld, viewer: Viewer): Response | null {
  const waitSeconds = secondsToWait(world, viewer);
  if (waitSeconds === 0) return null;
  c.header("Retry-After", String(waitSeconds));
  return c.json({ ...contentLimitBody(), status: "403" }, 403);
}

/** The body of the refusal. */
export function contentLimitBody(): { documentation_url: string; message: string } {
  return {
    documentation_url: DOCS,
    message:
      "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.",
  };
}

/** Seconds until this viewer may create content again; 0 = now. */
export function secondsToWait(world: GithubWorld, viewer: Viewer): number {
  const now = Date.now();
  const made = (world.creations.get(quotaKey(viewer)) ?? []).filter((at) => at > now - HOUR_MS);
  world.creations.set(quotaKey(viewer), made);
  const { contentPerMinute, contentPerHour } = world.settings;
  const minuteGate = made.at(-contentPerMinute);
  const hourGate = made.at(-contentPerHour);
  const opensAt = Math.max(
    minuteGate === undefined ? 0 : minuteGate + MINUTE_MS,
    hourGate === undefined ? 0 : hourGate + HOUR_MS,
  );
  return Math.max(0, Math.ceil((opensAt - now) / 1000));
}

/** Records that a viewer created content. */
export function countCreation(world: GithubWorld, viewer: Viewer): void {
  const key = quotaKey(viewer);
  const made = world.creations.get(key) ?? [];
  made.push(Date.now());
  world.creations.set(key, made);
}
