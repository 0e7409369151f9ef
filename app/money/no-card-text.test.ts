import { expect, test } from "vitest";
import { noCardText } from "./no-card-text.ts";

const NOTICE = "Your card details are not correct. Please try again";

test.each([
  ["an invalid number", { type: "validation_error", message: "Your card number is invalid." }],
  ["a refusal of the card", { type: "card_error", message: "Your card has expired." }],
  ["a refusal without words", { type: "api_error" }],
  ["nothing", undefined],
])("[B-273] [B-276] %s is told as wrong card details", (_why, error) => {
  expect(noCardText(error)).toBe(NOTICE);
});

test("a lost connection is told as such, because the card may be right", () => {
  const message = "We could not reach the payment provider.";
  for (const type of ["api_connection_error", "api_error", "rate_limit_error"])
    expect(noCardText({ type, message })).toBe(message);
});
