import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { betterAuth } from "better-auth/minimal";
import { account, session, user, verification } from "#core/database/control/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { hashSessionTokens } from "./hash-session-tokens.ts";

/**
 * The identity library, made per request because a promise of one request may not be awaited in another. It writes
 * people, credentials and sessions; it is only reached through this area's functions, never by a route of its own,
 * and its cookies and rate limits are not used. Its logger is off: it would write e-mail addresses.
 */
export async function openAuth(deps: Pick<AccountsDeps, "control" | "settings">) {
  const database = drizzleAdapter(deps.control, {
    provider: "sqlite",
    schema: { user, session, account, verification },
  });
  const auth = betterAuth({
    appName: "Holdfast",
    baseURL: deps.settings.PUBLIC_URL,
    secret: deps.settings.AUTH_SECRET,
    database: hashSessionTokens(database),
    user: {
      additionalFields: {
        familyName: { type: "string", required: false, input: false },
        statedCreatedAt: { type: "string", required: false, input: false },
        isAutoConfirmed: { type: "boolean", required: false, input: false },
      },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
  return (await auth.$context).internalAdapter;
}
