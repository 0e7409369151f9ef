import { expect, test } from "vitest";
import { type MarketingEvent, pushMarketingEvent } from "./data-layer.ts";

const event: MarketingEvent = { event: "sign_up", apps: ["github"] };

test("marketing events reach the data layer in their order, beside those of others", () => {
  const page = {};
  pushMarketingEvent(page, true, event);
  expect(page).toEqual({ dataLayer: [event] });
  const others = { dataLayer: ["loaded"] as unknown[] };
  const layer = others.dataLayer;
  pushMarketingEvent(others, true, event);
  expect(layer).toEqual(["loaded", event]);
});

test("outside production a page gets no data layer", () => {
  const page = {};
  pushMarketingEvent(page, false, event);
  expect(page).toEqual({});
});
