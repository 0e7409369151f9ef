import type { Page, Route } from "@playwright/test";

/**
 * Holds the answers of requests to such addresses, or with `isUnsent` the requests themselves. `begun` resolves when one
 * is held, `release` when all have been let go.
 */
export async function hold(page: Page, isHeld: (url: URL) => boolean, { isUnsent = false } = {}) {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const held: Promise<void>[] = [];
  async function keep(route: Route) {
    const response = isUnsent ? null : await route.fetch();
    begun.resolve();
    await released.promise;
    await (response ? route.fulfill({ response }) : route.continue());
  }
  await page.route(isHeld, (route) => {
    const kept = keep(route);
    held.push(kept);
    return kept;
  });
  async function release() {
    released.resolve();
    await Promise.all(held);
  }
  return { begun: begun.promise, release };
}
