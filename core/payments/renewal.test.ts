import { expect, test } from "vitest";
import { renewalAfter } from "./renewal.ts";

test("a period ends on the same day, or on the last day of a shorter month", () => {
  const at = (text: string) => Date.parse(`${text}T09:30:15Z`);
  expect(renewalAfter(at("2026-11-03"), "month")).toBe(at("2026-12-03"));
  expect(renewalAfter(at("2027-01-31"), "month")).toBe(at("2027-02-28"));
  expect(renewalAfter(at("2028-01-31"), "month")).toBe(at("2028-02-29"));
  expect(renewalAfter(at("2026-12-31"), "month")).toBe(at("2027-01-31"));
  expect(renewalAfter(at("2028-02-29"), "year")).toBe(at("2029-02-28"));
});
