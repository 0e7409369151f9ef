import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { ConnectorErrorKind } from "#connectors/contract/connector-error.ts";
import { authMethodIds, type PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import { grantedBy } from "../../harness/granted.ts";
import { describeError, failureOf, hasOwnPlace, type Suite } from "./suite.ts";

const REDIRECT = "http://localhost:8787/connect/callback";
const VERIFIER = "a-verifier-of-more-than-forty-three-characters-000";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** The methods with a consent page. The platform's own tests cover those that are given in another way. */
function consentMethods(descriptor: PlatformDescriptor): readonly string[] {
  const given = new Set(descriptor.authMethods?.filter(({ isGiven }) => isGiven).map(({ id }) => id));
  return authMethodIds(descriptor).filter((id) => !given.has(id));
}

/** Granting and revoking access to an account. */
export function describeAccess(name: string, suite: Suite): void {
  const { connector, world, session } = suite;
  const [authMethod = ""] = authMethodIds(connector.descriptor);
  const io = (): AuthorisationIo => ({
    config: world().config,
    fetch: (url, init) => fetch(url, { ...init, redirect: "manual" }),
    clock: { now: () => Date.now() },
  });
  const consent = async (method = authMethod) => {
    const request = { authMethod: method, state: "s-123", codeChallenge: CHALLENGE, redirectUri: REDIRECT };
    const back = await world().consent(connector.authoriser.consentUrl(world().config, request));
    expect(back.get("state")).toBe("s-123");
    return back.get("code") ?? "";
  };
  const exchange = (code: string, codeVerifier = VERIFIER) =>
    grantedBy(
      connector.authoriser,
      io(),
      connector.authoriser.exchange(io(), { authMethod, code, codeVerifier, redirectUri: REDIRECT }),
    );

  test(`${name}: the consent page has state, the S256 challenge if it takes one, and never the secret`, () => {
    const { config } = world();
    const request = { authMethod, state: "s-123", codeChallenge: "c-456", redirectUri: REDIRECT };
    const url = new URL(connector.authoriser.consentUrl(config, request));
    expect(url.searchParams.get("state")).toBe("s-123");
    const challenge = world().hasNoChallenge ? [null, null] : ["c-456", "S256"];
    const told = ["code_challenge", "code_challenge_method"].map((key) => url.searchParams.get(key));
    expect(told).toEqual(challenge);
    for (const [key, secret] of Object.entries(config)) {
      if (/SECRET/.test(key)) expect(url.href).not.toContain(secret);
    }
  });

  test(`${name}: a code gives an account and a working token, once and only with its verifier`, async () => {
    const { hasNoChallenge } = world();
    if (!hasNoChallenge)
      expect((await failureOf(exchange(await consent(), `${VERIFIER}-wrong`))).kind).toBe("unauthorized");
    const code = await consent();
    const grant = await exchange(code);
    expect(grant.account.name).toBe(world().accountName);
    expect(grant.account.externalId).not.toBe("");
    const seen = await suite.look(session({ token: grant.accessToken }));
    if (hasOwnPlace(world())) expect(seen[0]).toBe(grant.account.name);
    expect(seen.length).toBeGreaterThan(0);
    const again = await failureOf(exchange(code));
    expect(again.kind).toBe("unauthorized");
    for (const secret of [grant.accessToken, grant.refreshToken ?? grant.accessToken]) {
      expect(JSON.stringify([grant.details, grant.account])).not.toContain(secret);
      expect(describeError(again)).not.toContain(secret);
    }
  });

  test(`${name}: a refreshed grant works; refreshing it again fails without revealing a secret`, async () => {
    const grant = await exchange(await consent());
    if (grant.refreshToken === null) return expect(grant.accessTokenExpiresAt).toBeNull();
    const renewed = await connector.authoriser.refresh(io(), grant.refreshToken, authMethod);
    const by = session({ token: renewed.accessToken });
    const seen = await suite.look(by);
    expect(seen.length).toBeGreaterThan(0);
    if (hasOwnPlace(world())) expect(seen[0]).toBe(world().accountName);
    const next = await connector.authoriser.refresh(
      io(),
      renewed.refreshToken ?? grant.refreshToken,
      authMethod,
    );
    expect(next.accessToken).not.toBe(renewed.accessToken);
    const invented = await failureOf(
      connector.authoriser.refresh(io(), "invented-refresh-token", authMethod),
    );
    expect(invented.kind).toBe("unauthorized");
    expect(describeError(invented)).not.toContain("invented-refresh-token");
  });

  test.each(consentMethods(connector.descriptor))(
    `${name}: %s grants access to the account and is renewed`,
    async (method) => {
      const answer = {
        authMethod: method,
        code: await consent(method),
        codeVerifier: VERIFIER,
        redirectUri: REDIRECT,
      };
      const grant = await grantedBy(connector.authoriser, io(), connector.authoriser.exchange(io(), answer));
      expect(grant.account.name).toBe(world().accountName);
      if (grant.refreshToken === null) return;
      const renewed = await connector.authoriser.refresh(io(), grant.refreshToken, method);
      expect(renewed.accessToken).not.toBe(grant.accessToken);
    },
  );

  test(`${name}: a platform fault during authorisation is not a refusal`, async () => {
    const code = await consent();
    for (const action of [{ kind: "answer", status: 502 }, { kind: "html" }, { kind: "drop" }] as const) {
      world().faults.add({ match: { method: "POST" }, action });
      expect([action.kind, (await failureOf(exchange(code))).kind]).toEqual([action.kind, "unavailable"]);
      world().faults.clear();
    }
    expect((await exchange(code)).account.name).toBe(world().accountName);
  });

  test(`${name}: the own account is found by name in any case, and an unknown one is missing`, async () => {
    const { findAccount } = connector;
    if (findAccount === undefined) return expect(connector.descriptor.supports.places).toBe(false);
    const own = await findAccount(session(), world().accountName.toUpperCase());
    expect(own).toMatchObject({ kind: "found", isOwn: true, account: { name: world().accountName } });
    expect(await findAccount(session(), "nobody-of-this-name-at-all")).toEqual({ kind: "missing" });
  });

  test(`${name}: a token that expires during work is refreshed, and the work continues`, async () => {
    const good = await world().issueToken();
    const stale = () => session({ token: "no-longer-valid-token", renewed: good });
    expect((await suite.look(stale())).length).toBeGreaterThan(0);
    const item = await suite.getItem(world().item, stale());
    const snapshot = await suite.backUp(item, null, stale());
    expect(snapshot.entries.size).toBeGreaterThan(0);
  });
}

/** The ways to grant access besides the preferred one. */
export function describeMethods(name: string, suite: Suite): void {
  const { connector, session } = suite;
  const others = consentMethods(connector.descriptor).slice(1);
  if (others.length === 0) return;

  test(`${name}: each method has a token of its own in tests`, async () =>
    expect(Object.keys((await suite.world().otherTokens?.()) ?? {})).toEqual(others));

  test(`${name}: without the other credentials, or when they are refused, a backup only lacks what they give`, async () => {
    const item = await suite.getItem(suite.world().item);
    const whole = await suite.backUp(item);
    const alone = await suite.backUp(item, null, session({ others: {} }));
    const refusedTokens = Object.fromEntries(others.map((id) => [id, "no-longer-valid-token"]));
    const refused = await suite.backUp(item, null, session({ others: refusedTokens }));
    expect([...refused.entries.keys()]).toEqual([...alone.entries.keys()]);
    expect(whole.entries.size).toBeGreaterThan(alone.entries.size);
    expect(refused.skipped.length).toBeGreaterThan(alone.skipped.length);
  });
}

/** What remains after the owner revokes access. It runs last, because nothing works afterwards. */
export function describeRevocation(name: string, suite: Suite, token: () => string): void {
  const { connector, world, session } = suite;

  test(`${name}: a revoked grant is unauthorized everywhere, and no error contains the token`, async () => {
    const item = await suite.getItem(world().item);
    const snapshot = await suite.backUp(item);
    await world().revoke(token());
    const query = { kind: world().kind, place: null, name: null, page: 0, perPage: 10 };
    const failures = [
      await failureOf(suite.getItem(world().item)),
      await failureOf(suite.backUp(item)),
      await failureOf(suite.backUp(item, snapshot)),
      await failureOf(suite.look()),
      await failureOf(connector.listItems(session(), query)),
      await failureOf(suite.restore(snapshot, `${item.name}_late`)),
    ];
    const kinds: ConnectorErrorKind[] = failures.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["unauthorized"]));
    for (const failure of failures) expect(describeError(failure)).not.toContain(token());
  });
}
