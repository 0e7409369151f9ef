import type { BrowserCookie } from "#app/session/browser-cookie.ts";

/** A closed reminder stays hidden for a day (spec P-244). */
const HIDDEN_MS = 24 * 60 * 60 * 1000;

const cookieName = (platform: string) => `reminder-closed-${platform}`;

/** True when a reminder that was closed at `closedAt`, in epoch ms, is shown at `now`; null = it was never closed. */
export function isReminderDue(closedAt: number | null, now: number): boolean {
  return closedAt === null || now - closedAt >= HIDDEN_MS;
}

/** When the platform's reminder was closed in the browser of these cookies, in epoch ms; null = it was not. */
export function closedAtIn(cookies: string, platform: string): number | null {
  const pair = cookies
    .split(";")
    .map((each) => each.trim().split("="))
    .find(([name]) => name === cookieName(platform));
  const at = Number(pair?.[1]);
  return pair !== undefined && Number.isSafeInteger(at) && at > 0 ? at : null;
}

/** The cookie that remembers when the reminder was closed. The server reads it, so that a hidden one never flashes. */
export function closedCookie(platform: string, at: number): BrowserCookie {
  return { name: cookieName(platform), value: String(at), maxAgeSeconds: HIDDEN_MS / 1000 };
}
