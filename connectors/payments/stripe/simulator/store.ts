import { randomBytes } from "node:crypto";
import { missing } from "./errors.ts";
import type { Kind, Kinds, StripeWorld } from "./state.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A new id such as `cus_T4xQ9vLm2RkZ7b`. */
export function newId(prefix: string, length = 24): string {
  const letters = [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `${prefix}_${letters.join("")}`;
}

/** Stores an object under its id. */
export function put<K extends Kind>(world: StripeWorld, kind: K, thing: Kinds[K]): Kinds[K] {
  (world.state.tables[kind] as Record<string, Kinds[K]>)[thing.id] = thing;
  world.save();
  return thing;
}

/** Finds an object by its id; null when there is none. */
export function find<K extends Kind>(world: StripeWorld, kind: K, id: string | null): Kinds[K] | null {
  const table = world.state.tables[kind] as Record<string, Kinds[K]>;
  return id !== null && Object.hasOwn(table, id) ? (table[id] ?? null) : null;
}

/** @throws StripeFault `resource_missing` when there is no such object */
export function get<K extends Kind>(
  world: StripeWorld,
  kind: K,
  id: string,
  param = kind as string,
): Kinds[K] {
  const found = find(world, kind, id);
  if (found === null) throw missing(kind, id, param);
  return found;
}

/** All objects of a kind, the newest first. */
export function all<K extends Kind>(world: StripeWorld, kind: K): Kinds[K][] {
  return (Object.values(world.state.tables[kind]) as Kinds[K][]).reverse();
}

/** The simulator's clock, in seconds. */
export function clockNow({ state: { clock } }: Pick<StripeWorld, "state">): number {
  return clock.stoppedAt ?? Math.floor(Date.now() / 1000) + clock.ahead;
}

/** Now, for an object on a test clock or on none. */
export function nowOf(world: StripeWorld, testClock: string | null = null): number {
  if (world.moment !== null) return world.moment;
  return find(world, "test_helpers.test_clock", testClock)?.frozen_time ?? clockNow(world);
}

/** Now, for what belongs to a customer. */
export function nowFor(world: StripeWorld, customer: string | null): number {
  return nowOf(world, find(world, "customer", customer)?.test_clock ?? null);
}
