/** Storage key of the platform that the checkout is for (spec part 2 section 2). */
export const CHECKOUT_PLATFORM_KEY = "checkout-platform";

/** Stores the platform that the checkout is opened for. */
export function rememberCheckout(platform: string): void {
  window.localStorage.setItem(CHECKOUT_PLATFORM_KEY, platform);
}
