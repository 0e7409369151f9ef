import { quotaLeft } from "#core/connections/index.ts";
import type { ConnectionView } from "#core/connections/views.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Uses } from "#core/services.ts";
import { LIMITS_SHOWN } from "./limits.ts";
import type { ProviderLimit } from "./views.ts";

const log = logger("rounds");

/**
 * What the accounts may still ask of their providers, in the order of the accounts. Quotas that are shared by all
 * customers, and accounts about which nothing is known, are left out.
 */
export async function providerLimits(
  s: Uses<"clock" | "budgets" | "connectors">,
  connections: readonly ConnectionView[],
): Promise<ProviderLimit[]> {
  const asked = connections.filter(({ status }) => status === "active").slice(0, LIMITS_SHOWN);
  const limits = await Promise.all(asked.map((connection) => limitOf(s, connection, connections)));
  return limits.filter((limit) => limit !== null);
}

async function limitOf(
  s: Uses<"clock" | "budgets" | "connectors">,
  connection: ConnectionView,
  all: readonly ConnectionView[],
): Promise<ProviderLimit | null> {
  const { id, platform, name } = connection;
  try {
    const { pausedUntil, quotas, counted = {} } = await quotaLeft(s, connection);
    const known = [
      ...Object.entries(quotas).map(([quota, { remaining, resetAt, size }]) => ({
        name: quota,
        left: remaining,
        of: size ?? null,
        opensAt: resetAt,
        perMs: null,
      })),
      ...Object.entries(counted).map(([quota, { remaining, window }]) => ({
        name: quota,
        left: remaining,
        of: window.points,
        opensAt: null,
        perMs: window.perMs,
      })),
    ];
    if (known.length === 0 && pausedUntil === null) return null;
    const hasOthers = all.filter((other) => other.platform === platform).length > 1;
    return { platform, connectionId: id, account: hasOthers ? name : null, pausedUntil, quotas: known };
  } catch (cause) {
    // The page is about runs; they go on without this.
    log.warn("the limits of {connectionId} are not known", { connectionId: id, cause });
    return null;
  }
}
