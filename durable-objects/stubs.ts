import { logger } from "#core/kernel/logger.ts";
import type { LivePublisher } from "#core/live/publisher.ts";
import type { AccountHub, Claim } from "./account-hub.ts";
import type { LimitReport, ProviderBudget, Refresh, Spend } from "./provider-budget.ts";

/** The bindings and the one variable that reaching an object needs. */
export type ObjectBindings = {
  ACCOUNT_HUB: DurableObjectNamespace<AccountHub>;
  PROVIDER_BUDGET: DurableObjectNamespace<ProviderBudget>;
  /** "on" keeps every object inside the EU: an organisation may have data there, and has one hub for all regions. */
  DO_JURISDICTION?: string;
};

/** The hub of an organisation. Names are logged by the platform, so they carry ids and nothing personal. */
export function accountHub(env: ObjectBindings, organisationId: string): DurableObjectStub<AccountHub> {
  return within(env, env.ACCOUNT_HUB).getByName(organisationId);
}

/** The budget of one account at a platform; `key` is `platform:external account id`, or `platform:app`. */
export function providerBudget(env: ObjectBindings, key: string): DurableObjectStub<ProviderBudget> {
  return within(env, env.PROVIDER_BUDGET).getByName(key);
}

/** Publishes through the hubs. What cannot be delivered is logged and dropped: screens catch up when they refetch. */
export function livePublisher(env: ObjectBindings): LivePublisher {
  return {
    async publish(organisationId, events) {
      if (events.length === 0) return;
      try {
        await accountHub(env, organisationId).publish([...events]);
      } catch (cause) {
        logger("live").warn("Live events of {organisationId} were not delivered: {cause}", {
          organisationId,
          cause: cause instanceof Error ? cause.message : String(cause),
        });
      }
    },
  };
}

/** The Backup-now windows of every account, as the rules ask for them. */
export function backupWindows(env: ObjectBindings) {
  return {
    claim: (organisationId: string, key: string, now: number, windowMs: number): Promise<Claim> =>
      accountHub(env, organisationId).claim(key, now, windowMs),
    release: (organisationId: string, key: string): Promise<void> =>
      accountHub(env, organisationId).release(key),
    /** When each key opens again; keys that are open are absent. */
    opensAt: (
      organisationId: string,
      keys: readonly string[],
      now: number,
    ): Promise<Record<string, number>> => accountHub(env, organisationId).opensAt([...keys], now),
  };
}

/** Rate limits and token renewal, as the rules ask for them; a key names a provider account or a connection. */
export function providerBudgets(env: ObjectBindings) {
  return {
    spend: (key: string, resource: string, points: number, now: number): Promise<Spend> =>
      providerBudget(env, key).spend(resource, points, now),
    report: (key: string, limits: LimitReport & { resource: string }, now: number): Promise<void> =>
      providerBudget(env, key).report(limits.resource, limits, now),
    beginRefresh: (key: string, version: number, now: number): Promise<Refresh> =>
      providerBudget(env, key).beginRefresh(key, version, now),
    endRefresh: (key: string, version: number | null): Promise<void> =>
      providerBudget(env, key).endRefresh(key, version),
  };
}

function within<T extends Rpc.DurableObjectBranded | undefined>(
  env: ObjectBindings,
  namespace: DurableObjectNamespace<T>,
): DurableObjectNamespace<T> {
  return env.DO_JURISDICTION === "on" ? namespace.jurisdiction("eu") : namespace;
}
