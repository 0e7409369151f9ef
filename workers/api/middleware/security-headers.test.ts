import { expect, test } from "vitest";
import type { Settings } from "#workers/env.ts";
import { contentSecurityPolicy } from "./security-headers.ts";

const settings = (script: string) =>
  ({
    PUBLIC_URL: "https://app.example",
    STRIPE_JS_URL: script,
    STRIPE_API_URL: "https://api.stripe.com",
  }) as Settings;
/** The sources of a directive on a page. */
const sources = (path: string, directive: string, script = "https://js.stripe.com/endive/stripe.js") =>
  contentSecurityPolicy(settings(script), "n", { path })
    .split("; ")
    .find((each) => each.startsWith(`${directive} `))
    ?.slice(directive.length + 1);

test.each(["/checkout", "/subscriptions", "/payment", "/payment-history"])(
  "%s may load the payment provider's script and frames",
  (path) => {
    expect(sources(path, "script-src")).toBe("'self' 'nonce-n' https://js.stripe.com");
    expect(sources(path, "frame-src")).toBe("https://js.stripe.com https://hooks.stripe.com");
    expect(sources(path, "connect-src")).toBe("'self' wss://app.example https://api.stripe.com");
  },
);

test.each(["/", "/settings", "/checkout/more", "/checkouts", "/auth/login"])("%s may not", (path) => {
  expect(sources(path, "script-src")).toBe("'self' 'nonce-n'");
  expect(sources(path, "frame-src")).toBe("'none'");
  expect(sources(path, "connect-src")).toBe("'self' wss://app.example");
});

test("another configured script is allowed with its own origin alone, beside the configured API", () => {
  const script = "http://127.0.0.1:9999/v3/";
  expect(sources("/checkout", "script-src", script)).toBe("'self' 'nonce-n' http://127.0.0.1:9999");
  expect(sources("/checkout", "frame-src", script)).toBe("http://127.0.0.1:9999");
});
