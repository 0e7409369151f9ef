/** The pages whose security policy lets the payment provider's script load. */
const CARD_PAGES = /^\/(?:checkout|subscriptions|payment|payment-history)\/?$/;

/**
 * True when this document may show a card form. A policy belongs to the document that was loaded, so a page that was
 * reached from another one by a link has that one's policy until it is loaded again.
 */
export function mayShowCardForm(): boolean {
  const [loaded] = performance.getEntriesByType("navigation");
  return loaded === undefined || CARD_PAGES.test(new URL(loaded.name).pathname);
}
