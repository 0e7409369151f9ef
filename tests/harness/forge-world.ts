import { env } from "cloudflare:workers";
import { configSchema } from "#connectors/platforms/jira/authorize.ts";
import { createForgeIssuer } from "#connectors/platforms/jira/simulator/forge-tokens.ts";
import { createSession } from "#core/accounts/index.ts";
import { chooseRegion } from "#core/connections/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";
import { callbackOf, type FlowWorld, openFlowWorld } from "./flow-world.ts";
import { type OutsideJira, openJira, publishKeys } from "./outside.ts";

const APP_ID = "ari:cloud:ecosystem::app/8db33809-1f32-48bb-8c52-5877dab48107";
const SHELL = "https://0a3a7799.cdn.prod.atlassian-dev.net";
const VERIFIER = "v".repeat(43);
const SCOPES = configSchema.parse({}).JIRA_SCOPES.split(" ");

/** Nora administers the simulated site. */
export const NORA = "nora@meridian.example";

type Call = { headers?: Record<string, string>; body?: object };
type Answer<T> = { status: number; headers: Headers; json: { code: string | null; result: T } };

/** The product with the app inside Jira, a simulated Jira, and Forge, which signs calls and passes tokens. */
export type ForgeWorld = {
  world: FlowWorld;
  jira: OutsideJira;
  /** The site's id at Atlassian. */
  site: string;
  /** The installation's id at Atlassian. */
  installationId: string;
  /** The session of the owner of the organisation. */
  session: string;
  ask<T = Record<string, unknown>>(method: string, path: string, call?: Call): Promise<Answer<T>>;
  /** A token that Forge passes to us: of the app, or of a person. */
  tokenOf(login?: string, lifeMs?: number): Promise<string>;
  /** The app's page asks for a code, with the tokens that Forge adds for the person who looks at it. */
  askForCode(login: string, order?: { connects?: boolean }): Promise<{ code?: string; reason?: string }>;
  /** Our page in a frame exchanges a code for a session. */
  exchange(code: string | undefined): Promise<Answer<Record<string, unknown>>>;
  /** The cookies of the frame in which the person looks at our pages. */
  openFrame(login: string): Promise<string>;
  connect(code: string | undefined, cookie: string): Promise<Answer<{ id: string }>>;
  /** Nora connects the site in her frame. @returns the connection's id */
  connectInFrame(): Promise<string>;
  /** The call of an hour that the test's clock has reached, with a token that lives so long from then on. @returns the status */
  tick(lifeMs?: number): Promise<number>;
  close(): Promise<void>;
};

/** Opens a world whose organisation has connected nothing yet. */
export async function openForgeWorld(): Promise<ForgeWorld> {
  const issuer = await createForgeIssuer(APP_ID);
  const forge = {
    FORGE_APP_ID: APP_ID,
    FORGE_JWKS_URL: await publishKeys(issuer.jwks),
    FORGE_SHELL_ORIGINS: SHELL,
  };
  const jira = await openJira(callbackOf("jira"));
  const world = await openFlowWorld({ isConnected: false, vars: { ...jira.vars, ...forge } });
  // As everybody does before they connect. A site that is connected in the frame is kept there.
  await chooseRegion(world.services, world.member, { platform: "jira", region: world.region });
  const { userId } = world.member;
  const session = (await createSession(world.services, { userId, isRemembered: false })).token;
  const { sites } = await jira.control<{ sites: { slug: string; cloudId: string }[] }>("sites");
  const site = sites.find(({ slug }) => slug === "meridian")?.cloudId ?? "";
  const installationId = `ari:cloud:ecosystem::installation/${site}`;
  const bearer = async (accountId?: string) => {
    const person = accountId ? { accountId, siteUrl: "https://meridian.atlassian.net" } : {};
    return `Bearer ${await issuer.sign({ cloudId: site, installationId, ...person })}`;
  };

  const ask: ForgeWorld["ask"] = async <T>(
    method: string,
    path: string,
    { headers = {}, body }: Call = {},
  ) => {
    const bindings = { ...httpBindings(world), ...jira.vars, ...forge } as unknown as Env;
    const answer = await sendTo(bindings, { method, path, headers, ...(body ? { body } : {}) });
    return answer as unknown as Answer<T>;
  };
  const tokenOf: ForgeWorld["tokenOf"] = async (login, lifeMs = 2 * HOUR_MS) => {
    const order = { scopes: SCOPES, lifeMs, ...(login ? { login } : {}) };
    return (await jira.control<{ token: string }>("sites/meridian/forge-token", order)).token;
  };
  const askForCode: ForgeWorld["askForCode"] = async (login, { connects = true } = {}) => {
    const headers = {
      Authorization: await bearer(`id-of-${login}`),
      "x-forge-oauth-system": await tokenOf(),
      "x-forge-oauth-user": await tokenOf(login),
    };
    const challenge = await sha256Hex(VERIFIER);
    const body = { challenge, origin: SHELL, ...(connects ? { connects } : {}) };
    return (await ask<{ code?: string; reason?: string }>("POST", "/forge/session", { headers, body })).json
      .result;
  };
  const exchange: ForgeWorld["exchange"] = (code) =>
    ask("POST", "/identity/host/exchange", {
      headers: { Origin: env.PUBLIC_URL },
      body: { code, verifier: VERIFIER, origin: SHELL },
    });
  const openFrame: ForgeWorld["openFrame"] = async (login) => {
    const { headers } = await exchange((await askForCode(login, { connects: false })).code);
    const kept = headers.getSetCookie().filter((each) => !each.includes("Max-Age=0"));
    return kept.map((each) => each.split(";")[0]).join("; ");
  };
  const connect: ForgeWorld["connect"] = (code, Cookie) =>
    ask("POST", "/identity/host/connect", {
      headers: { Origin: env.PUBLIC_URL, Authorization: session, Cookie },
      body: { code, verifier: VERIFIER, origin: SHELL },
    });
  return {
    ...{ world, jira, site, installationId, session, ask, tokenOf, askForCode, exchange, openFrame, connect },
    async connectInFrame() {
      const { code } = await askForCode(NORA);
      const { status, json } = await connect(code, await openFrame(NORA));
      if (status !== 200) throw new Error(`The site was not connected: ${json.code}`);
      return json.result.id;
    },
    async tick(lifeMs = 2 * HOUR_MS) {
      // Jira's clock is the real one.
      const ahead = world.clock.now() - Date.now();
      const headers = {
        Authorization: await bearer(),
        "x-forge-oauth-system": await tokenOf(undefined, ahead + lifeMs),
      };
      return (await ask("POST", "/forge/tick", { headers, body: {} })).status;
    },
    async close() {
      await world.close();
      await jira.close();
    },
  };
}
