import { SECOND_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { LivePublisher } from "#core/live/publisher.ts";
import type { AccountHub } from "./account-hub.ts";
import type { ProviderBudget } from "./provider-budget.ts";
import { LEASE_MS } from "./session-copies.ts";

/** The bindings and the variable needed to reach an object. */
export type ObjectBindings = {
  ACCOUNT_HUB: DurableObjectNamespace<AccountHub>;
  PROVIDER_BUDGET: DurableObjectNamespace<ProviderBudget>;
  /**
   * "on" keeps every object inside the EU, because an organisation may have data there and has one hub for all regions.
   */
  DO_JURISDICTION?: string;
};

/** The hub of an organisation. Cloudflare logs object names, so they contain only ids and no personal data. */
export function accountHub(env: ObjectBindings, organisationId: string): DurableObjectStub<AccountHub> {
  return within(env, env.ACCOUNT_HUB).getByName(organisationId);
}

/** The budget of one account at a platform. `key` is `platform:external account id` or `platform:app`. */
export function providerBudget(env: ObjectBindings, key: string): DurableObjectStub<ProviderBudget> {
  return within(env, env.PROVIDER_BUDGET).getByName(key);
}

/** An object placed in the given region. With null it may run anywhere, because it handles no regional data. */
export function objectIn<T extends Rpc.DurableObjectBranded | undefined>(
  env: Partial<ObjectBindings>,
  namespace: DurableObjectNamespace<T>,
  { name, region }: { name: string; region: Region | null },
): DurableObjectStub<T> {
  if (region === "DE") return within(env, namespace).getByName(name);
  return namespace.getByName(name, region ? { locationHint: LOCATIONS[region] } : {});
}

const LOCATIONS = { US: "enam", UK: "weur", AP: "oc" } as const satisfies Partial<
  Record<Region, DurableObjectLocationHint>
>;

/** Publishes events through the hubs. A failed delivery is logged and dropped: screens catch up when they refetch. */
export function livePublisher(env: ObjectBindings): LivePublisher {
  const quietly = async (organisationId: string, deliver: () => Promise<unknown>) => {
    try {
      await deliver();
    } catch (cause) {
      logger("live").warn("The hub of {organisationId} was not reached: {cause}", {
        organisationId,
        cause: cause instanceof Error ? cause.message : String(cause),
      });
    }
  };
  return {
    async publish(organisationId, events) {
      if (events.length === 0) return;
      await quietly(organisationId, () => accountHub(env, organisationId).publish([...events]));
    },
    disconnect: (organisationId, whose) =>
      quietly(organisationId, () => insist(() => accountHub(env, organisationId).revoke(whose))),
  };
}

/** The first wait before a revocation asks the hub again, and the longest one. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5 * SECOND_MS;

/**
 * Tries until it succeeds, or until every lease that the hub had given has ended. Then nobody acts on a lost right, and
 * only the sockets may still be open. @throws the last failure
 */
async function insist(attempt: () => Promise<unknown>): Promise<void> {
  const giveUpAt = Date.now() + LEASE_MS + LONGEST_WAIT_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      await attempt();
      return;
    } catch (cause) {
      if (Date.now() >= giveUpAt) throw cause;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

function within<T extends Rpc.DurableObjectBranded | undefined>(
  env: Partial<ObjectBindings>,
  namespace: DurableObjectNamespace<T>,
): DurableObjectNamespace<T> {
  return env.DO_JURISDICTION === "on" ? namespace.jurisdiction("eu") : namespace;
}
