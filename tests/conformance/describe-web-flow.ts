import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_AUTH_METHOD as authMethod } from "#connectors/contract/descriptor.ts";
import type {
  AuthorisationIo,
  ConnectorConfig,
  PlatformAuthoriser,
} from "#connectors/contract/platform-connector.ts";
import { grantedBy } from "../harness/granted.ts";
import { failureOf } from "./describe-platform-connector.ts";

const VERIFIER = "a-verifier-of-more-than-forty-three-characters-000";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** Input for the web flow tests of a platform. */
type WebFlow = {
  authoriser: PlatformAuthoriser;
  open: () => Promise<{ config: ConnectorConfig; accountName: string; stop: () => Promise<void> }>;
  /** The address that the platform redirects to. */
  redirectUri: string;
  /** The configuration variable that holds our application's secret. */
  secretName: string;
  /** The platform's error for a code that was already used. */
  spentCode: string;
};

/**
 * Tests for every OAuth web flow with PKCE and rotating refresh tokens, against a simulated platform. A platform's own
 * cases follow in its test file and use the returned functions.
 */
export function describeWebFlow({ authoriser, open, redirectUri, secretName, spentCode }: WebFlow) {
  let world: Awaited<ReturnType<WebFlow["open"]>>;
  let io: AuthorisationIo;
  beforeAll(async () => {
    world = await open();
    io = { config: world.config, fetch: (url, init) => fetch(url, init), clock: { now: () => Date.now() } };
  });
  afterAll(() => world.stop());

  /** Allows access on the consent page as the account's owner. Returns the authorisation code. */
  const consent = async (state = "s1"): Promise<string> => {
    const url = new URL(
      authoriser.consentUrl(io.config, { authMethod, state, codeChallenge: CHALLENGE, redirectUri }),
    );
    const form = new URLSearchParams(url.searchParams);
    form.set("login", world.accountName);
    form.set("decision", "authorize");
    const address = `${url.origin}${url.pathname}`;
    const answer = await fetch(address, { method: "POST", body: form, redirect: "manual" });
    const back = new URL(answer.headers.get("location") ?? "");
    expect(back.searchParams.get("state")).toBe(state);
    return back.searchParams.get("code") ?? "";
  };
  const exchange = (code: string, codeVerifier = VERIFIER) =>
    grantedBy(authoriser, io, authoriser.exchange(io, { authMethod, code, codeVerifier, redirectUri }));

  test("a code works once, and only with its verifier", async () => {
    expect((await failureOf(exchange(await consent(), `${VERIFIER}-wrong`))).kind).toBe("unauthorized");
    const code = await consent();
    await exchange(code);
    const again = await failureOf(exchange(code));
    expect(again.kind).toBe("unauthorized");
    expect(again.message).toContain(spentCode);
  });

  test("a refresh token is rotated; the old one is refused, and no message contains it", async () => {
    const grant = await exchange(await consent());
    const renewed = await authoriser.refresh(io, grant.refreshToken ?? "", authMethod);
    expect(renewed.accessToken).not.toBe(grant.accessToken);
    expect(renewed.refreshToken).not.toBe(grant.refreshToken);
    const failure = await failureOf(authoriser.refresh(io, grant.refreshToken ?? "", authMethod));
    expect(failure.kind).toBe("unauthorized");
    expect(failure.message).not.toContain(grant.refreshToken ?? "nothing");
  });

  test("a wrong secret of our application is our own error and revokes no grant", async () => {
    const wrong = { ...io, config: { ...io.config, [secretName]: "something-else" } };
    const failure = await failureOf(authoriser.refresh(wrong, "whatever", authMethod));
    expect(failure.kind).toBe("unavailable");
    expect(failure.message).not.toContain("something-else");
  });

  return {
    config: () => world.config,
    codeChallenge: CHALLENGE,
    grant: async () => exchange(await consent()),
  };
}
