import { expect, test } from "vitest";
import { ApiError } from "#app/api/call-api.ts";
import { isToldOf } from "./billing-queries.ts";

const error = (message: string, code: string) => new ApiError(message, { code, status: 404 });

test("[B-267] that there is no card yet is not told, by its code or by its message; every other error is", () => {
  expect(isToldOf(error("No default payment method for this account", "err.any"))).toBe(false);
  expect(isToldOf(error("Another message", "err.payment.method.none"))).toBe(false);
  expect(isToldOf(error("Another message", "err.any"))).toBe(true);
  expect(isToldOf(null)).toBe(false);
});
