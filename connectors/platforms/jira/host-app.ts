import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import { z } from "zod";
import {
  type HostApp,
  type HostCall,
  HostCallError,
  type HostEvent,
  type HostIo,
  type HostLicence,
} from "#connectors/contract/host-app.ts";
import { installationGrant, readForgeTokens } from "./installation-grant.ts";

const BASE = "/forge";
const ISSUER = "forge/invocation-token";
/** Clocks may differ by this much. A token lives 25 seconds. */
const TOLERANCE_SECONDS = 5;

/** A source of a Content-Security-Policy: an origin, whose host may begin with `*.`; plain http only on this machine. */
const SOURCE =
  /^(?:https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?)$/;
const sources = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((each) => each !== ""))
  .pipe(z.array(z.string().regex(SOURCE, "must be origins, separated by spaces")));

/** The settings of the Forge app. Without an id, Holdfast is not inside Jira. */
const configSchema = z
  .object({
    /** The app's id, `ari:cloud:ecosystem::app/…`, as in `forge/manifest.yml`. */
    FORGE_APP_ID: z.union([z.literal(""), z.string().regex(/^ari:cloud:ecosystem::app\/\S+$/)]).default(""),
    FORGE_JWKS_URL: z.url().default("https://forge.cdn.prod.atlassian-dev.net/.well-known/jwks.json"),
    FORGE_SITE_ORIGINS: sources.default(["https://*.atlassian.net"]),
    /** Where Atlassian serves the app's page: copied from an installation, as exact as possible. */
    FORGE_SHELL_ORIGINS: sources.default([]),
  })
  .refine(({ FORGE_APP_ID, FORGE_SHELL_ORIGINS }) => FORGE_APP_ID === "" || FORGE_SHELL_ORIGINS.length > 0, {
    path: ["FORGE_SHELL_ORIGINS"],
    message: "is needed with FORGE_APP_ID",
  });

const siteId = z.string().regex(/^[\w-]{1,100}$/);

/** A date that is missing or malformed is none. */
const date = z.iso
  .datetime({ offset: true })
  .nullish()
  .catch(null)
  .transform((text) => (typeof text === "string" ? Date.parse(text) : null));

const licenceSchema = z.looseObject({
  active: z.boolean().optional(),
  /** The name since the documentation of August 2026; the one before is `active`. */
  isActive: z.boolean().optional(),
  isEvaluation: z.boolean().optional(),
  capabilitySet: z.string().optional(),
  subscriptionEndDate: date,
  trialEndDate: date,
});

/** The claims that are read (contract `atlassian/forge-invocation-token.schema.json`). */
const claimsSchema = z.looseObject({
  app: z.looseObject({
    id: z.string(),
    installationId: z.string().regex(/^ari:cloud:ecosystem::installation\/\S{1,100}$/),
    installation: z
      .looseObject({
        contexts: z.array(z.looseObject({ name: z.string(), cloudId: siteId.optional() })).default([]),
      })
      .optional(),
    license: licenceSchema.nullish(),
  }),
  context: z.looseObject({ cloudId: siteId.optional(), siteUrl: z.string().optional() }).optional(),
  principal: z.string().min(1).max(200).optional(),
  icLabel: z.string().optional(),
});

type KeySet = ReturnType<typeof createRemoteJWKSet>;
/** The keys are read once and again when a token names another; the library waits between two readings. */
const keySets = new Map<string, KeySet>();

function keysOf(url: string, fetch: typeof globalThis.fetch): KeySet {
  const known = keySets.get(url);
  if (known) return known;
  const made = createRemoteJWKSet(new URL(url), { [customFetch]: fetch });
  keySets.set(url, made);
  return made;
}

/** Holdfast inside Jira: a Forge app whose page shows our site in a frame (reference: board-providers.md 3.5). */
export const hostApp: HostApp = {
  base: BASE,
  configSchema,
  open(env) {
    const { FORGE_APP_ID, FORGE_JWKS_URL, FORGE_SITE_ORIGINS, FORGE_SHELL_ORIGINS } = configSchema.parse(env);
    if (FORGE_APP_ID === "") return null;
    return {
      platform: "jira",
      base: BASE,
      authMethod: "forge",
      siteOrigins: FORGE_SITE_ORIGINS,
      shellOrigins: FORGE_SHELL_ORIGINS,
      readCall: (io, token) => readCall(io, token, { appId: FORGE_APP_ID, keysUrl: FORGE_JWKS_URL }),
      readEvent,
      readTokens: readForgeTokens,
      grant: installationGrant,
    };
  },
};

/** Verifies an invocation token and reads its claims. */
async function readCall(
  { fetch, now }: HostIo,
  token: string,
  { appId, keysUrl }: { appId: string; keysUrl: string },
): Promise<HostCall> {
  const verified = await jwtVerify(token, keysOf(keysUrl, fetch), {
    issuer: ISSUER,
    audience: appId,
    // The document names no algorithm. Only public keys can verify, never a shared secret or none.
    algorithms: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"],
    requiredClaims: ["exp", "iat"],
    currentDate: new Date(now()),
    clockTolerance: TOLERANCE_SECONDS,
  }).catch((cause: unknown) => {
    // A host that does not answer has forged nothing, but lets nobody in either.
    const reason = cause instanceof errors.JOSEError ? cause.code : "its keys could not be read";
    throw new HostCallError(`The invocation token was refused: ${reason}`, { cause });
  });
  const claims = claimsSchema.safeParse(verified.payload);
  if (!claims.success) throw new HostCallError("The invocation token has unknown claims.");
  return callOf(claims.data, appId);
}

function readEvent(body: unknown): HostEvent {
  const event = eventSchema.safeParse(body);
  if (!event.success) return { kind: "alive" };
  return { kind: "changed", itemExternalId: event.data.issue.fields.project.id };
}

/** `avi:jira:deleted:issue`. Lifecycle events and the hourly tick have no such members. */
const eventSchema = z.looseObject({
  eventType: z.literal("avi:jira:deleted:issue"),
  issue: z.looseObject({
    fields: z.looseObject({ project: z.looseObject({ id: z.string().regex(/^\d{1,20}$/) }) }),
  }),
});

/** A call from the page names the site in its context; an event has no context, but its installation has one site. */
function callOf(
  { app, context, principal, icLabel }: z.output<typeof claimsSchema>,
  appId: string,
): HostCall {
  // An isolated cloud signs with keys at another address, which `icLabel` is a part of. We are in none.
  if (icLabel !== undefined) throw new HostCallError("The invocation token is of an isolated cloud.");
  if (app.id !== appId) throw new HostCallError("The invocation token is of another app.");
  const sites = (app.installation?.contexts ?? []).flatMap(({ name, cloudId }) =>
    name === "jira" && cloudId !== undefined ? [cloudId] : [],
  );
  const named = context?.cloudId ?? sites[0];
  if (named === undefined || (sites.length > 0 && !sites.includes(named)))
    throw new HostCallError("The invocation token names no site of its installation.");
  return {
    siteId: named,
    siteUrl: context?.siteUrl ?? null,
    installationId: app.installationId,
    accountId: principal ?? null,
    licence: app.license ? licenceOf(app.license) : null,
  };
}

function licenceOf(license: z.output<typeof licenceSchema>): HostLicence {
  const isTrial = license.isEvaluation === true;
  return {
    isActive: (license.isActive ?? license.active) === true,
    isTrial,
    isAdvanced: license.capabilitySet === "capabilityAdvanced",
    endsAt: isTrial ? license.trialEndDate : license.subscriptionEndDate,
  };
}
