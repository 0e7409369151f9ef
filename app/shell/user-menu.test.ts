import { expect, test } from "vitest";
import { accountPlaces } from "./user-menu.tsx";

test("[A-100] the account menu offers Support, except in restricted mode", () => {
  const labels = (isRestricted: boolean) =>
    accountPlaces({ isRestricted, helpUrl: "" }, () => {}).map(({ label }) => label);
  expect(labels(false)).toEqual(["Contact us", "Support", "Settings"]);
  expect(labels(true)).toEqual(["Contact us", "Settings"]);
});
