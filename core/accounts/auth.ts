import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { betterAuth } from "better-auth/minimal";
import { account, session, user, verification } from "#core/database/control/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import type { AccountsDeps } from "./deps.ts";
import { hashSessionTokens } from "./hash-session-tokens.ts";

/** A session ends this long after sign-in, whatever happens in it (decision on sessions). */
export const SESSION_MS = 12 * HOUR_MS;
/** The same for "remember me"; ten idle minutes still end it. */
export const REMEMBERED_SESSION_MS = 30 * DAY_MS;

/**
 * The identity library, made per request because a promise of one request may not be awaited in another.
 * It owns people, credentials and the making of sessions; it is only reached through this area's functions, never
 * by a route of its own. Its logger is off: it would write e-mail addresses.
 */
export function createAuth(deps: AccountsDeps, { isRemembered }: { isRemembered: boolean }) {
  const database = drizzleAdapter(deps.control, {
    provider: "sqlite",
    schema: { user, session, account, verification },
  });
  return betterAuth({
    appName: "Holdfast",
    baseURL: deps.settings.PUBLIC_URL,
    secret: deps.settings.AUTH_SECRET,
    database: hashSessionTokens(database),
    emailAndPassword: { enabled: true, minPasswordLength: 10, maxPasswordLength: 100 },
    session: { expiresIn: REMEMBERED_SESSION_MS / 1000, disableSessionRefresh: true },
    databaseHooks: {
      session: {
        create: {
          before: async (created) => {
            const now = deps.clock.now();
            const lifetime = isRemembered ? REMEMBERED_SESSION_MS : SESSION_MS;
            return {
              data: {
                ...created,
                expiresAt: new Date(now + lifetime),
                createdAt: new Date(now),
                updatedAt: new Date(now),
              },
            };
          },
        },
      },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: isSecure(deps),
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
}

const COOKIE_PREFIX = "holdfast";

/** True where people reach the app by https, so that cookies may be marked Secure. */
export function isSecure(deps: Pick<AccountsDeps, "settings">): boolean {
  return deps.settings.PUBLIC_URL.startsWith("https:");
}

/** Name of the session cookie as the library sets it. */
export function sessionCookieName(deps: Pick<AccountsDeps, "settings">): string {
  return `${isSecure(deps) ? "__Secure-" : ""}${COOKIE_PREFIX}.session_token`;
}
