import { env } from "cloudflare:workers";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { ledgerNames } from "./ledger-bindings.ts";
import {
  limitedBucket,
  limitedDatabase,
  limitedFetch,
  limitedObjects,
  limitedQueue,
} from "./limited-bindings.ts";
import { type PlatformLimits, watchLimits } from "./platform-limits.ts";

/**
 * Files share an isolate, and each may load this module again. The symbol makes sure that bindings are wrapped once.
 */
const HELD = Symbol.for("holdfast.held-limits");
const isolate = globalThis as typeof globalThis & { [HELD]?: PlatformLimits };

/** The limits that apply to every test in workerd. */
export const heldLimits: PlatformLimits = isolate[HELD] ?? watchLimits();

/** Wraps every binding with the limits, for tests and product alike: both use the same environment. */
export function holdLimits(): void {
  if (isolate[HELD]) return;
  isolate[HELD] = heldLimits;
  const bindings = env as unknown as Record<string, unknown>;
  const databases = ["DB", ...ledgerNames()];
  const buckets = ["AVATARS", "DUMPS", ...REGIONS.map((region) => `VAULT_${region}`)];
  for (const name of databases) bindings[name] = limitedDatabase(bindings[name] as D1Database, heldLimits);
  for (const name of buckets) bindings[name] = limitedBucket(bindings[name] as R2Bucket, heldLimits);
  for (const name of ["BACKUPS", "RESTORES", "EXPORTS", "MAIL"])
    bindings[name] = limitedQueue(bindings[name] as Queue, heldLimits);
  for (const name of ["ACCOUNT_HUB", "PROVIDER_BUDGET"])
    bindings[name] = limitedObjects(bindings[name] as DurableObjectNamespace<undefined>, heldLimits);
  globalThis.fetch = limitedFetch(globalThis.fetch, heldLimits);
}

/** Clears the record of exceeded limits. @throws Error naming the limits exceeded since the last call */
export function assertWithinLimits(): void {
  const sentences = [...heldLimits.exceeded];
  heldLimits.exceeded.clear();
  if (sentences.length > 0) throw new Error(`Beyond the platform's limits: ${sentences.join("; ")}`);
}
