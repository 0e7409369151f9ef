import { env } from "cloudflare:workers";
import { resetSync } from "@logtape/logtape";
import type { z } from "zod";
import type { ConnectorConfig, PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { createPerson, createSession } from "#core/accounts/index.ts";
import { beginAuthorisation, completeAuthorisation, listPlaces } from "#core/connections/index.ts";
import { addItems, type ItemView } from "#core/inventory/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { type OutgoingMail, requeueMail } from "#core/mail/index.ts";
import type { Member } from "#core/organisations/index.ts";
import { sweepLostRuns } from "#core/runs/index.ts";
import { outsideFetch } from "#workers/outside-fetch.ts";
import { consume } from "#workers/queues/consume.ts";
import { handle } from "#workers/queues/handle.ts";
import { buildServices, type Services } from "#workers/services.ts";
import { type Blow, beginLife, type Life } from "./effects.ts";
import { emptyEverything } from "./empty-bindings.ts";
import { heldLimits } from "./held-limits.ts";
import { mortalBucket, mortalDatabase } from "./mortal-bindings.ts";
import { type Outside, openOutside, type RepositoryContent } from "./outside.ts";
import type { PlatformLimits } from "./platform-limits.ts";
import { type Letter, openTestQueue, type TestQueue } from "./test-queue.ts";

export const PLATFORM = "github";
export const KIND = "repository";
/** Where a platform sends the owner back after `connect`. */
export const callbackOf = (platform: string) => `http://localhost:8787/connect/${platform}/callback`;
const LOGIN = "nora-lindqvist";
const QUEUE_RETRIES = 10;
/** More deliveries than any flow needs. Reaching it means that work never ends. */
const MOST_STEPS = 3_000;
/** Longer than a sender may hold an e-mail before another sender takes it. */
const MAIL_PATIENCE_MS = 15 * MINUTE_MS;
/** Longer than any test runs, so that tokens do not expire unless the test sets a lifetime. */
const LONG_TOKEN_MS = 1_000 * DAY_MS;

/**
 * The product in a test: one organisation with a connected GitHub, a clock that the test moves, queues that it
 * delivers.
 */
export type FlowWorld = {
  outside: Outside;
  region: Region;
  clock: { now(): number; advance(ms: number): void };
  queue: TestQueue;
  events: LiveEvent[];
  mails: OutgoingMail[];
  /** The platform's limits. A test that exceeds one fails. */
  limits: PlatformLimits;
  member: Member;
  /** Services without faults. */
  services: Services;
  /** Services of a new isolate with at most one blow. */
  bear(blow: Blow | null): { life: Life; services: Services };
  /** Creates a repository at GitHub and protects it. Queues its first backup. */
  protect(name: string, content: RepositoryContent): Promise<ItemView>;
  /** The owner of another organisation that has connected the same GitHub account. */
  stranger(): Promise<Member>;
  /** Delivers one message to an isolate. A message is lost when its isolate dies. */
  deliver(letter: Letter, isolate?: { life: Life; services: Services }): Promise<void>;
  /** Runs a scheduled rule as the cron does: one invocation of the Worker. */
  tick<T>(rule: (services: Services, region: Region) => Promise<T>): Promise<T>;
  /** Delivers messages until the queue is empty and no run is open. Moves the clock when work is due later. */
  drain(): Promise<void>;
  ledger: D1Database;
  rows<T = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<T[]>;
  close(): Promise<void>;
};

/** A platform that a test adds to those of the product. */
export type Guest = { connector: PlatformConnector; configSchema: z.ZodType<ConnectorConfig> };

/** Opens a world: empty databases, a fresh GitHub, and an owner on the plan Pro who has connected it. */
export async function openFlowWorld(
  options: {
    region?: Region;
    isConnected?: boolean;
    tokenLifetimeMs?: number;
    /** Further variables of the product, e.g. the addresses of another platform. */
    vars?: Readonly<Record<string, string>>;
    /** Platforms that are not registered. */
    guests?: readonly Guest[];
    /** Further ledgers, by the names of their bindings. */
    ledgers?: Readonly<Record<string, D1Database>>;
  } = {},
): Promise<FlowWorld> {
  // Thousands of injected faults would bury the message of a failing test.
  resetSync();
  await emptyEverything();
  const outside = await openOutside();
  await outside.control("settings", { tokenLifetimeMs: options.tokenLifetimeMs ?? LONG_TOKEN_MS });
  const region = options.region ?? "DE";
  let now = Date.now();
  // Every read moves the clock by 1 ms, so that no two timestamps are equal.
  const clock = {
    now: () => ++now,
    advance: (ms: number) => {
      now += Math.max(0, Math.ceil(ms));
    },
  };
  const queue = openTestQueue({ now: () => now });
  const events: LiveEvent[] = [];
  const mails: OutgoingMail[] = [];
  const mark = crypto.randomUUID();

  const limits = heldLimits;
  const bear = (blow: Blow | null) => {
    const life = beginLife(blow);
    const { vars = {}, guests = [], ledgers = {} } = options;
    const parts = { life, limits, outside, clock, queue, events, mails, mark, vars, guests, ledgers };
    return { life, services: mortalServices(parts) };
  };
  const { services } = bear(null);
  const join = async (name: string) => {
    const email = `${name}-${mark.slice(0, 12)}@meridian.example`;
    const person = { name, familyName: "Lindqvist", email };
    const { userId } = await createPerson(services, person);
    return (await createSession(services, { userId, isRemembered: false })).member;
  };
  const member = await join("nora");
  const world: FlowWorld = {
    outside,
    region,
    clock,
    queue,
    events,
    mails,
    limits,
    member,
    services,
    bear,
    ledger: env[`LEDGER_${region}`],
    rows: async <T>(sql: string, ...values: unknown[]) =>
      (
        await env[`LEDGER_${region}`]
          .prepare(sql)
          .bind(...values)
          .all<T>()
      ).results,
    protect: async (name, content) => {
      const repository = await outside.createRepository(name, content);
      const [place] = await listPlaces(services, member, { platform: PLATFORM });
      const { added } = await addItems(services, member, {
        platform: PLATFORM,
        kind: KIND,
        placeId: place!.id,
        externals: [{ externalId: repository.externalId }],
      });
      return added[0]!;
    },
    stranger: async () => {
      const other = await join("eve");
      await connect({ services, region, member: other });
      return other;
    },
    // An isolate remembers which ledger an organisation has, so where there are several, each message gets its own.
    deliver: (letter, isolate = options.ledgers ? bear(null) : { life: beginLife(), services }) =>
      deliver(world, letter, isolate),
    tick: (rule) => limits.invocation(() => rule(services, region)),
    drain: () => drain(world),
    close: () => outside.close(),
  };
  if (options.isConnected !== false) await connect(world);
  return world;
}

/**
 * Connects the owner's account through the platform's consent page and sets the organisation's plan to Pro.
 *
 * @param login The account's name at the platform.
 */
export async function connect(
  world: Pick<FlowWorld, "services" | "member" | "region">,
  platform = PLATFORM,
  login = LOGIN,
  /** More members of the consent page's form. */
  chosen: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { services, member, region } = world;
  const order = { platform, redirectUri: callbackOf(platform) };
  const { url } = await beginAuthorisation(services, member, { ...order, region });
  const query = new URL(url).searchParams;
  const form = new URLSearchParams([
    ...query,
    ["login", login],
    ["decision", "authorize"],
    ...Object.entries(chosen),
  ]);
  const page = new URL(url);
  const answer = await fetch(`${page.origin}${page.pathname}`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  await answer.body?.cancel();
  const back = new URL(answer.headers.get("location")!).searchParams;
  await completeAuthorisation(services, member, {
    ...order,
    state: back.get("state")!,
    code: back.get("code")!,
  });
  await env.DB.prepare(
    "UPDATE subscription SET plan = 'pro', quantity = 1000, ends_at = NULL WHERE organisation_id = ?",
  )
    .bind(member.organisationId)
    .run();
}

type Parts = Pick<FlowWorld, "outside" | "clock" | "queue" | "events" | "mails"> & {
  life: Life;
  limits: PlatformLimits;
  mark: string;
  vars: Readonly<Record<string, string>>;
  guests: readonly Guest[];
  ledgers: Readonly<Record<string, D1Database>>;
};

function mortalServices(parts: Parts): Services {
  const { life, limits, outside, clock, queue, events, mails, mark, vars, guests, ledgers } = parts;
  const producer = {
    sendBatch: (messages: { body: JobMessage }[], options?: { delaySeconds?: number }) => {
      const bodies = messages.map(({ body }) => body);
      const delaySeconds = options?.delaySeconds ?? 0;
      return life.perform({ kind: "queue", name: bodies[0]?.job ?? "nothing" }, () =>
        limits.call("queue", "send batch", async () => {
          limits.messages(bodies, delaySeconds);
          queue.send(bodies, delaySeconds);
        }),
      );
    },
  };
  const further = Object.entries(ledgers).map(([name, ledger]) => [
    name,
    mortalDatabase(ledger, "ledger", life),
  ]);
  const bindings = {
    ...env,
    ...Object.fromEntries(further),
    DB: mortalDatabase(env.DB, "control", life),
    BACKUPS: producer,
    RESTORES: producer,
    EXPORTS: producer,
    MAIL: producer,
    // Separates the Durable Objects of different worlds, whose accounts have equal ids.
    PROVIDER_BUDGET: { getByName: (name: string) => env.PROVIDER_BUDGET.getByName(`${mark}:${name}`) },
    GITHUB_API_URL: outside.apiUrl,
    GITHUB_WEB_URL: outside.webUrl,
    GITHUB_CLIENT_ID: outside.clientId,
    GITHUB_CLIENT_SECRET: outside.clientSecret,
    GITHUB_APP_SLUG: outside.appSlug,
    ...vars,
  };
  for (const region of REGIONS) {
    bindings[`LEDGER_${region}`] = mortalDatabase(env[`LEDGER_${region}`], "ledger", life);
    bindings[`VAULT_${region}`] = mortalBucket(env[`VAULT_${region}`], life);
  }
  const built = buildServices(bindings as unknown as Env);
  const actor =
    <A extends unknown[], T>(name: string, act: (...values: A) => Promise<T>) =>
    (...values: A) =>
      life.perform({ kind: "actor", name }, () => act(...values));
  return {
    ...built,
    connectors: new Map([
      ...built.connectors,
      ...guests.map(({ connector }) => [connector.descriptor.id, connector] as const),
    ]),
    connectorConfig: Object.assign(
      {},
      built.connectorConfig,
      ...guests.map(({ configSchema }) => configSchema.parse(vars)),
    ),
    clock,
    sleep: async (ms) => clock.advance(ms),
    fetch: (url, init) => {
      // Calls that differ only in an id count as one repeated effect.
      const path = new URL(url).pathname.replace(/\b[0-9a-f]{24}\b|\d{3,}/g, "#");
      const name = `${init?.method ?? "GET"} ${path}`;
      const signals = init?.signal ? [life.signal, init.signal] : [life.signal];
      return life.perform({ kind: "provider", name }, () =>
        outsideFetch(url, { ...init, signal: AbortSignal.any(signals) }),
      );
    },
    live: {
      publish: async (_organisation, published) => {
        if (!life.isDead()) events.push(...published);
      },
      disconnect: async () => {},
    },
    mailer: {
      send: (mail) =>
        life.perform({ kind: "provider", name: "mail" }, async () => {
          if (!mails.some(({ key }) => key === mail.key)) mails.push(mail);
        }),
    },
    windows: {
      claim: actor("claim window", built.windows.claim),
      claimAll: actor("claim windows", built.windows.claimAll),
      release: actor("release window", built.windows.release),
      closed: (...values) => life.look(() => built.windows.closed(...values)),
      opensAt: (...values) => life.look(() => built.windows.opensAt(...values)),
    },
    budgets: {
      spend: actor("spend", built.budgets.spend),
      report: actor("report", built.budgets.report),
      left: (...values) => life.look(() => built.budgets.left(...values)),
      beginRefresh: actor("begin refresh", built.budgets.beginRefresh),
      endRefresh: actor("end refresh", built.budgets.endRefresh),
    },
  };
}

async function deliver(
  world: FlowWorld,
  letter: Letter,
  { life, services }: { life: Life; services: Services },
): Promise<void> {
  const retry = ({ delaySeconds = 0 }: { delaySeconds?: number } = {}) => {
    world.limits.messages([letter.body], delaySeconds);
    world.queue.letters.push({
      ...letter,
      attempts: letter.attempts + 1,
      at: world.clock.now() + delaySeconds * 1_000,
    });
  };
  const isDead = letter.attempts > QUEUE_RETRIES;
  const message = { body: letter.body, ack: () => {}, retry };
  const batch = { queue: isDead ? "test-dead" : "test", messages: [message], ackAll: () => {} };
  // The job runs with the same services, including what the test replaced in them.
  const own: Services = { ...services, runners: { start: (job) => handle(own, job) } };
  const consumed = world.limits.invocation(() => consume(own, batch as unknown as MessageBatch<unknown>));
  await Promise.race([consumed, life.death]);
}

async function drain(world: FlowWorld): Promise<void> {
  let sweptAt = world.clock.now();
  for (let step = 0; step < MOST_STEPS; step++) {
    // The cron that runs every minute.
    if (world.clock.now() - sweptAt > MINUTE_MS) {
      sweptAt = world.clock.now();
      await world.tick(sweepLostRuns);
    }
    const letter = world.queue.take(world.clock.now());
    if (letter) {
      await world.deliver(letter);
      continue;
    }
    const nextAt = world.queue.nextAt();
    if (nextAt !== null) {
      world.clock.advance(nextAt - world.clock.now());
      continue;
    }
    const [open] = await world.rows<{ at: number | null }>(
      "SELECT min(lease_until) AS at FROM run WHERE status IN ('queued', 'running')",
    );
    if (!open || open.at === null) {
      if (!(await hasWaitingMail())) return;
      world.clock.advance(MAIL_PATIENCE_MS);
      await world.tick(requeueMail);
      continue;
    }
    // No message is left: wait until the lease expires, so that the sweep requeues the run.
    world.clock.advance(open.at - world.clock.now() + 1);
    await world.tick(sweepLostRuns);
  }
  throw new Error(`After ${MOST_STEPS} steps there is still work: ${JSON.stringify(await openRuns(world))}`);
}

async function hasWaitingMail(): Promise<boolean> {
  return (await env.DB.prepare("SELECT 1 FROM mail_outbox WHERE status = 'queued' LIMIT 1").first()) !== null;
}

const openRuns = (world: FlowWorld) =>
  world.rows("SELECT id, kind, status, attempts, error_text FROM run WHERE status IN ('queued', 'running')");
