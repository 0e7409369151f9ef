import { expect, test } from "vitest";
import { rightOfLicence } from "./licence.ts";

const licence = { isActive: true, isTrial: false, isAdvanced: false, endsAt: 7 };

test.each([
  ["the smaller edition", licence, { plan: "essential", paidUntil: 7 }],
  ["the larger edition", { ...licence, isAdvanced: true }, { plan: "pro", paidUntil: 7 }],
  [
    "an evaluation of the larger edition",
    { ...licence, isTrial: true, isAdvanced: true },
    { plan: "trial", paidUntil: 7 },
  ],
  ["no named end", { ...licence, endsAt: null }, { plan: "essential", paidUntil: null }],
  ["a licence that is not active", { ...licence, isActive: false, isAdvanced: true }, null],
])("%s gives %o", (_name, given, right) => {
  expect(rightOfLicence(given)).toEqual(right);
});
