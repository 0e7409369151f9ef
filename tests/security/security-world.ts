import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { startTrial } from "#core/billing/index.ts";
import { listAvailablePlaces, listPlaces } from "#core/connections/index.ts";
import { requestCloneUrl, requestZip } from "#core/exports/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { itemIdIn, randomIds } from "#core/kernel/ids.ts";
import type { Member } from "#core/organisations/index.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { answerHolder } from "#tests/harness/hold-answers.ts";
import { http } from "#workers/http.ts";

export const ORIGIN = "https://app.example.test";

/** Every actor. The first four belong to one organisation; the fifth owns another one. */
export const ACTORS = [
  "owner",
  "admin",
  "reader",
  "without role",
  "other owner",
  "former member",
  "expired session",
  "anonymous",
] as const;
export type Actor = (typeof ACTORS)[number];

/** Ids of one organisation, one of each kind that a call may use. */
export type Ids = {
  item: string;
  snapshot: string;
  place: string;
  /** A member of the organisation who is not its owner. */
  person: string;
  avatar: string;
  /** The platform's id of a repository that is not protected yet. */
  spareItem: string;
  /** The platform's id of a place that can be added. */
  sparePlace: string;
};

/** Well-formed ids that do not exist. */
export const MISSING: Ids = {
  item: "itm_00000000000000000000000000",
  snapshot: "snp_00000000000000000000000000",
  place: "plc_00000000000000000000000000",
  person: "usr_00000000000000000000000000",
  avatar: "ava_00000000000000000000000000",
  spareItem: "999999999",
  sparePlace: "999999999",
};

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed envelope. Null for other responses. */
  json: { status: string; message: string | null; result: unknown; code: string | null } | null;
  webSocket: WebSocket | null;
};

export type Call = {
  method: string;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** Two organisations and all actors, in front of the whole product. */
export type SecurityWorld = {
  flow: FlowWorld;
  item: ItemView;
  /** A fresh session of the actor: "" for an actor without one, an expired one for "expired session". */
  tokenOf: (actor: Actor) => Promise<string>;
  members: { owner: Member; otherOwner: Member };
  /** Sends a call as an actor, in the way of an API client. */
  ask: (actor: Actor, call: Call) => Promise<Answer>;
  /** Sends a call with these headers only. */
  send: (call: Call) => Promise<Answer>;
  /**
   * Fresh ids of the actor's own organisation. Includes a colleague with a photo only on request, because members are
   * limited.
   */
  own: (actor: Actor, isWithPerson: boolean) => Promise<Ids>;
  /** Fresh ids of an organisation that the actor does not belong to. */
  foreign: (actor: Actor, isWithPerson: boolean) => Promise<Ids>;
  /** Creates a person in the organisation, with a session. */
  join: (organisationId: string | null, roles: Record<string, "admin" | "user">) => Promise<Person>;
  close: () => Promise<void>;
};

export type Person = { userId: string; email: string; token: string };

/** Opens the world: real connections, one real version, and eight actors. */
export async function openSecurityWorld(
  options: { vars?: Readonly<Record<string, string>> } = {},
): Promise<SecurityWorld> {
  const flow = await openFlowWorld(options);
  const item = await flow.protect("canary-yellow", "tiny");
  await flow.drain();
  const spareItem = (await flow.outside.createRepository("spare", "tiny")).externalId;
  const sparePlace = (await listAvailablePlaces(flow.services, flow.member, { platform: PLATFORM }))[0]!
    .externalId;
  const spare = { spareItem, sparePlace };
  const otherOwner = await flow.stranger();
  const owner = flow.member;
  const people: Record<Exclude<Actor, "anonymous">, string> = {
    owner: owner.userId,
    admin: (await join(owner.organisationId, everywhere("admin"))).userId,
    reader: (await join(owner.organisationId, everywhere("user"))).userId,
    "without role": (await join(owner.organisationId, {})).userId,
    "other owner": otherOwner.userId,
    "former member": (await join(null, {})).userId,
    "expired session": owner.userId,
  };
  // Rights may depend on a plan. Without one, calls of a platform would be rejected for lack of payment and prove
  // nothing.
  for (const { organisationId } of [owner, otherOwner]) {
    for (const { id } of descriptors) await startTrial(flow.services, organisationId, id);
  }
  await env.DB.prepare("UPDATE organisation SET name = 'Meridian Freight'").run();
  const tokenOf = async (actor: Actor) => {
    if (actor === "anonymous") return "";
    return openSessionRow(people[actor], actor === "expired session" ? 11 * MINUTE_MS : 0);
  };
  const bindings = { ...httpBindings(flow), ...options.vars };
  const send = (call: Call) => sendTo(bindings, call);
  const idsOf = (member: Member, isWithPerson: boolean) =>
    freshIds({ flow, item, member, spare }, isWithPerson);
  const isOther = (actor: Actor) => actor === "other owner";
  return {
    flow,
    item,
    tokenOf,
    members: { owner, otherOwner },
    send,
    ask: async (actor, call) => {
      const token = await tokenOf(actor);
      return send({ ...call, headers: { ...(token ? { Authorization: token } : {}), ...call.headers } });
    },
    own: (actor, isWithPerson) => idsOf(isOther(actor) ? otherOwner : owner, isWithPerson),
    foreign: (actor, isWithPerson) => idsOf(isOther(actor) ? owner : otherOwner, isWithPerson),
    join,
    close: () => flow.close(),
  };
}

/** Paths of the signed links with which the owner downloads and clones the newest version of the world's item. */
export async function signedPaths({
  flow,
  item,
}: SecurityWorld): Promise<{ download: string; clone: string }> {
  const asked = { itemId: item.id, snapshotId: (await newestSnapshot(flow, item.id)).id };
  const zip = await requestZip(flow.services, flow.member, { platform: PLATFORM, ...asked });
  if (zip.kind !== "ready") throw new Error("the ZIP of a verified version is ready");
  const clone = await requestCloneUrl(flow.services, flow.member, asked);
  return { download: new URL(zip.url).pathname, clone: new URL(clone.url).pathname };
}

/**
 * The product's bindings with this world's GitHub. Queues drop single messages and pass batches to the world's queue.
 */
export function httpBindings(flow: FlowWorld): Env {
  const producer = {
    send: async () => undefined,
    sendBatch: async (messages: Iterable<{ body: never }>) => {
      flow.queue.send(
        [...messages].map(({ body }) => body),
        0,
      );
    },
  };
  return {
    ...env,
    BACKUPS: producer,
    RESTORES: producer,
    EXPORTS: producer,
    MAIL: producer,
    GITHUB_API_URL: flow.outside.apiUrl,
    GITHUB_WEB_URL: flow.outside.webUrl,
    GITHUB_CLIENT_ID: flow.outside.clientId,
    GITHUB_CLIENT_SECRET: flow.outside.clientSecret,
    GITHUB_APP_SLUG: flow.outside.appSlug,
  } as unknown as Env;
}

const DOCUMENT = "/api/openapi.json";
const hold = answerHolder(async () =>
  (await http.fetch(new Request(`${ORIGIN}${DOCUMENT}`), env, createExecutionContext())).json(),
);

/** Sends one request to the whole product and checks the response against its OpenAPI document. */
export async function sendTo(
  bindings: Env,
  { method, path, query = {}, body, headers = {} }: Call,
): Promise<Answer> {
  const search = new URLSearchParams(query).toString();
  const init: RequestInit = { method, headers, redirect: "manual" };
  if (body !== undefined) {
    init.body = typeof body === "string" || body instanceof URLSearchParams ? body : JSON.stringify(body);
    if (!(body instanceof URLSearchParams)) init.headers = { "Content-Type": "application/json", ...headers };
  }
  const request = new Request(`${ORIGIN}${path}${search === "" ? "" : `?${search}`}`, init);
  const response = await heldLimits.invocation(async () =>
    http.fetch(request, bindings, createExecutionContext()),
  );
  const text = response.webSocket ? "" : await response.text();
  // A HEAD response has a content type but no body.
  const isJson = text !== "" && response.headers.get("Content-Type")?.startsWith("application/json") === true;
  if (path !== DOCUMENT) {
    await hold({ method, path, status: response.status, body: isJson ? JSON.parse(text) : null });
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : null,
    webSocket: response.webSocket,
  };
}

/** The same role on every platform. */
function everywhere(role: "admin" | "user"): Record<string, "admin" | "user"> {
  return Object.fromEntries(descriptors.map(({ id }) => [id, role]));
}

async function openSessionRow(userId: string, idleMs = 0): Promise<string> {
  const token = crypto.randomUUID().replaceAll("-", "") + crypto.randomUUID().replaceAll("-", "");
  const now = Date.now();
  await insert(env.DB, "session", {
    id: crypto.randomUUID(),
    token: await sha256Hex(token),
    user_id: userId,
    created_at: now - idleMs,
    updated_at: now - idleMs,
    expires_at: now + 60 * MINUTE_MS,
  });
  return token;
}

async function join(organisationId: string | null, roles: Record<string, "admin" | "user">): Promise<Person> {
  const userId = `usr_${crypto.randomUUID().replaceAll("-", "")}`;
  const email = `${userId}@meridian.example`;
  const now = Date.now();
  await insert(env.DB, "user", {
    id: userId,
    name: "Per",
    family_name: "Holm",
    email,
    email_verified: 1,
    created_at: now,
    updated_at: now,
  });
  if (organisationId !== null) {
    await insert(env.DB, "member", {
      id: randomIds.next("member"),
      organisation_id: organisationId,
      user_id: userId,
      role: "member",
      platform_roles: JSON.stringify(roles),
      created_at: now,
    });
  }
  return { userId, email, token: await openSessionRow(userId) };
}

type Around = {
  flow: FlowWorld;
  item: ItemView;
  member: Member;
  spare: Pick<Ids, "spareItem" | "sparePlace">;
};

/** An item with a version, a place and a colleague: rows beside those of a real backup. */
async function freshIds({ flow, item, member, spare }: Around, isWithPerson: boolean): Promise<Ids> {
  const { organisationId } = member;
  const connection = await env.DB.prepare("SELECT id FROM connection WHERE organisation_id = ?")
    .bind(organisationId)
    .first<{ id: string }>();
  const number = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  const ids: Ids = {
    item: itemIdIn(randomIds, flow.region),
    snapshot: randomIds.next("snapshot"),
    place: (await listPlaces(flow.services, member, { platform: PLATFORM }))[0]!.id,
    ...spare,
    ...(isWithPerson ? await freshColleague(organisationId) : { person: "", avatar: "" }),
  };
  const whose = { organisation_id: organisationId, connection_id: connection!.id };
  const { ledger } = flow;
  const row = async (table: string, where: string, value: string) =>
    (await ledger.prepare(`SELECT * FROM ${table} WHERE ${where} = ? LIMIT 1`).bind(value).first<Row>())!;
  await insert(ledger, "item", {
    ...(await row("item", "id", item.id)),
    ...whose,
    id: ids.item,
    place_id: ids.place,
    external_id: number,
    name: `r${number}`,
    full_name: `nora-lindqvist/r${number}`,
    name_folded: `r${number}`,
    last_snapshot_id: ids.snapshot,
  });
  const numberOf = async (itemId: string) => String((await row("numbered_item", "item_id", itemId)).number);
  const version = await row("snapshot", "item_id", item.id);
  const manifests = await ledger
    .prepare("SELECT * FROM manifest_row WHERE item = ?")
    .bind(await numberOf(item.id))
    .all<Row>();
  await insert(ledger, "manifest_row", {
    ...manifests.results.find(({ id }) => id === version.manifest_id)!,
    item: await numberOf(ids.item),
  });
  await insert(ledger, "snapshot", {
    ...version,
    id: ids.snapshot,
    organisation_id: organisationId,
    item_id: ids.item,
    run_id: randomIds.next("run"),
    verify_state: "queued",
  });
  return ids;
}

/** A colleague with a photo. Removes the previous one, because an organisation is limited to ten members. */
async function freshColleague(organisationId: string): Promise<Pick<Ids, "person" | "avatar">> {
  await env.DB.prepare(
    "DELETE FROM member WHERE organisation_id = ? AND user_id IN (SELECT id FROM user WHERE stated_created_at = 'guest')",
  )
    .bind(organisationId)
    .run();
  const { userId } = await join(organisationId, { [PLATFORM]: "user" });
  const avatar = randomIds.next("avatar");
  await env.DB.prepare("UPDATE user SET image = ?, stated_created_at = 'guest' WHERE id = ?")
    .bind(avatar, userId)
    .run();
  await env.AVATARS.put(`${userId}/${avatar}`, "photo", { httpMetadata: { contentType: "image/png" } });
  return { person: userId, avatar };
}

type Row = Record<string, string | number | null>;

/** Inserts a row into a database of the product. */
export async function insert(database: D1Database, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  await database
    .prepare(`INSERT INTO "${table}" (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
    .bind(...Object.values(row))
    .run();
}
