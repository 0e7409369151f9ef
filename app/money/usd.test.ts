import { expect, test } from "vitest";
import { centsOf, costText, percentText, usd } from "./usd.ts";

test("sums are shown with two decimals and a minus sign", () => {
  expect([usd(0), usd(1_200), usd(120_000), usd(-3_167)]).toEqual([
    "$0.00",
    "$12.00",
    "$1,200.00",
    "−$31.67",
  ]);
});

test("dollars of the wire become whole cents without a rounding error", () => {
  expect([115.2, 230.4, 0.29, 19.99, 2400].map(centsOf)).toEqual([11_520, 23_040, 29, 1_999, 240_000]);
});

test("costs are shown by month and by year", () => {
  expect(costText(12, false)).toBe("$12/m");
  expect(costText(9.6 * 12, true)).toBe("$115.2/y");
  expect(costText(2400, true)).toBe("$2,400/y");
  expect(costText(47.6, false)).toBe("$47.6/m");
  expect(costText(null, false)).toBeNull();
});

test("tax rates keep their decimals", () => {
  expect([percentText(19), percentText(8.875), percentText(0)]).toEqual([
    "19\u00a0%",
    "8.875\u00a0%",
    "0\u00a0%",
  ]);
});
