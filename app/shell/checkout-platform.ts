/** Where the checkout finds the platform that somebody wants to pay for (spec part 2 section 2). */
export const CHECKOUT_PLATFORM_KEY = "checkout-platform";

/** Remembers for which platform the checkout is opened. */
export function rememberCheckout(platform: string): void {
  window.localStorage.setItem(CHECKOUT_PLATFORM_KEY, platform);
}
