import type { PlatformStatus } from "#app/money/billing-queries.ts";

/** Waits after a payment before the first look, and between looks, in ms; and how often (spec B-188, B-191). */
export const FIRST_LOOK_MS = 5_000;
export const LOOK_MS = 10_000;
export const LOOKS = 20;

/** What a purchase changes of a subscription. */
export function markOf(status: PlatformStatus | undefined): string {
  const found = status?.subscription;
  if (!found) return "";
  return [found.id, found.status, found.plan, found.isAnnual, found.quantity, found.pending === null].join(
    " ",
  );
}

/**
 * Waits until the subscriptions differ from before the purchase: 5 s, a look, then one every 10 s, 20 at most (spec
 * B-184, B-188 to B-191). A look that fails counts as unchanged, because the payment is done.
 *
 * @param before The marks from before, by platform.
 * @returns whether all have changed
 */
export async function waitForChange(
  before: ReadonlyMap<string, string>,
  {
    look,
    sleep,
  }: { look: (platform: string) => Promise<PlatformStatus>; sleep: (ms: number) => Promise<void> },
): Promise<boolean> {
  const waiting = new Map(before);
  const lookAtAll = async () => {
    for (const [platform, mark] of waiting) {
      const found = await look(platform).catch(() => undefined);
      if (found && markOf(found) !== mark) waiting.delete(platform);
    }
  };
  await sleep(FIRST_LOOK_MS);
  await lookAtAll();
  for (let looks = 0; waiting.size > 0 && looks < LOOKS; looks += 1) {
    await sleep(LOOK_MS);
    await lookAtAll();
  }
  return waiting.size === 0;
}
