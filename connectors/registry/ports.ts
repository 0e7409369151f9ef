import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** Listeners on consecutive ports. `offset` is that of the first one from the product's port. */
type Listeners = { offset: number; listeners: readonly string[] };

/** What needs ports besides the platforms' simulators. */
export const FIXED_PORTS = {
  product: { offset: 0, listeners: ["Holdfast"] },
  mail: { offset: 2, listeners: ["simulated mail"] },
  oidc: { offset: 3, listeners: ["simulated identity providers"] },
  storages: { offset: 7, listeners: ["simulated S3", "simulated Dropbox", "simulated Google Drive"] },
  payments: { offset: 10, listeners: ["simulated Stripe"] },
  hosts: { offset: 17, listeners: ["simulated page around the app", "simulated page of the app"] },
} as const satisfies Record<string, Listeners>;

/**
 * Every listener, in order of its offset: the fixed ones and those of these platforms.
 * @throws Error when two want the same port
 */
export function listenersOf(setups: readonly PlatformSetup[]): { offset: number; what: string }[] {
  const groups: Listeners[] = [
    ...Object.values(FIXED_PORTS),
    ...setups.flatMap(({ simulator }) => simulator ?? []),
  ];
  const all = groups.flatMap(({ offset, listeners }) =>
    listeners.map((what, at) => ({ offset: offset + at, what })),
  );
  const sorted = all.sort((one, other) => one.offset - other.offset);
  for (const [at, { offset, what }] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next?.offset === offset)
      throw new Error(`${what} and ${next.what} both want the port with offset ${offset}.`);
  }
  return sorted;
}
