/** What people do before they are customers. No event names a person. */
export type MarketingEvent = { event: "sign_up"; apps: readonly string[] };

type HasDataLayer = { dataLayer?: unknown[] };

/**
 * Adds an event to `window.dataLayer`, which a tag manager of the operator may read. The product itself loads no script
 * of others. With `isOn` false, which is the case everywhere but in production (`MARKETING_EVENTS`), nothing happens
 * (spec A-408).
 */
export function pushMarketingEvent(page: object, isOn: boolean, event: MarketingEvent): void {
  if (!isOn) return;
  const { dataLayer = [] } = page as HasDataLayer;
  (page as HasDataLayer).dataLayer = dataLayer;
  dataLayer.push(event);
}
