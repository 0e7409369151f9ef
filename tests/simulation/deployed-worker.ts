import { pathToFileURL } from "node:url";
import type { StorageBindings } from "#core/database/ledgers.ts";
import type { JobMessage, JobPayload } from "#core/jobs/index.ts";
import { MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Dice } from "#tests/harness/dice.ts";
import type { EffectKind, Life as EffectLife } from "#tests/harness/effects.ts";
import { type MemoryBucket, memoryBucket } from "#tests/harness/memory-bucket.ts";
import { mortalBucket, mortalDatabase } from "#tests/harness/mortal-bindings.ts";
import type { Services } from "#workers/services.ts";
import type { CallCounts } from "./call-counts.ts";
import { type MemoryDatabase, openEmpty, openMigrated } from "./memory-databases.ts";
import { PLATFORM_VARS, type Platform } from "./platform.ts";
import { openRegionLedgers, REGION, type RegionLedgers, type Rows, SHARDS } from "./region-ledgers.ts";
import type { Life, Scheduler } from "./scheduler.ts";
import type { Fate, Weather } from "./weather.ts";

/** The product's code as one deployment loaded it. */
export type Product = typeof import("./product.ts");

const QUEUE_RETRIES = 10;
/** How many calls may end a slice, by deployment: as many as in production, or so few that work takes many slices. */
const SLICES = [2_000, 150, 60] as const;
/** After this time a message whose consumer died is delivered again. */
const VISIBILITY_MS = 5 * MINUTE_MS;
/**
 * After thirty seconds the product takes the isolate for dead that renews a token, and another one may try. It counts from
 * its leave to renew, up to a second before the platform is called.
 */
const FLIGHT_MS = 29 * SECOND_MS;
/** The statement that claims a run, as the log names it. */
const CLAIMS_RUN = /^update "run" set "status" = \?, "phase" = CASE/;
/** A late call arrives within this time after a claim. */
const BEGUN_WITHIN_MS = 3 * SECOND_MS;
/** The statement that stores a renewed token, as the log names it. */
const STORES_TOKEN = 'update "credential" set "sealed_access_token"';

const VARS = {
  ...PLATFORM_VARS,
  PUBLIC_URL: "https://app.example.test",
  MASTER_KEYS: "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  LINK_KEYS: "1:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8",
  AUTH_SECRET: "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8",
  BACKUP_NOW_WINDOW_MINUTES: "1440",
};

/** What an invocation works at, of a runner's: the job and its run. */
const workOf = ({ name }: Life) => name.slice(0, name.indexOf("#"));

/** Whose code runs when no invocation does: the world's own. */
const STRANGER: Life = { name: "world", isDead: false };

/** What everything in a world is built of. */
export type Ground = {
  root: string;
  bundle: string;
  roll: Dice;
  scheduler: Scheduler;
  weather: Weather;
  platform: Platform;
  calls: CallCounts;
  /** Writes one line of the world's log. */
  note: (line: string) => void;
};

/** The product in its simulated account at Cloudflare. */
export type DeployedWorker = {
  control: MemoryDatabase;
  ledgers: RegionLedgers;
  /** The ledger in which the organisation is. */
  ledger: Rows;
  bucket: MemoryBucket;
  /** Loads the product's code anew. With `isAbrupt`, all running invocations die. */
  deploy(isAbrupt: boolean): Promise<void>;
  product(): Product;
  /**
   * Calls the product as a request does. Undefined = its isolate died.
   *
   * @param member Whose session names the ledger. Without one, the product looks for it.
   */
  invoke<T>(name: string, act: Act<T>, member?: Member): Promise<T | undefined>;
  /** Runs an operator's command beside everything else. Undefined = its process died. */
  command<T>(name: string, act: Act<T>, fate: Fate): Promise<T | undefined>;
  /** Calls the product with neither faults nor delays, to look at something. */
  look<T>(act: Act<T>): Promise<T>;
  /** Starts the work of a cron line. */
  tick(cron: string): void;
  /** Starts only its duties for the ledgers of the region. */
  tickLedgers(duties: readonly JobPayload<"tend-ledger">["duty"][]): void;
  /** How often each e-mail was handed to the mail service, by the key that the service tells doubled ones by. */
  sentMails: ReadonlyMap<string, number>;
  /** Whether the platform has refused a token because the answer with its successor was lost. */
  isLossExplained(): boolean;
  /** Calls back after each batch that a database has committed for an invocation, also when its answer is lost. */
  onCommit(look: (by: Life) => void): void;
  /** Waiting messages and running invocations. */
  isBusy(): boolean;
};

type Act<T> = (product: Product, services: Services) => Promise<T>;

/** A renewal of a token. `isStruck` = its invocation has met a blow since. */
type Renewal = { life: Life; at: number; isStruck: boolean };

type Letter = { body: JobMessage; attempts: number };

/** Deploys the product into an empty account. */
export async function deployWorker(ground: Ground): Promise<DeployedWorker> {
  const { scheduler, weather, platform, calls, note } = ground;
  const control = openMigrated(ground.root, "control");
  const regionLedgers = openRegionLedgers(ground.root, control, scheduler.now);
  const ledgers: Record<string, MemoryDatabase> = {};
  for (const region of REGIONS) ledgers[region] = openMigrated(ground.root, "ledger");
  for (const shard of SHARDS) ledgers[shard] = regionLedgers[shard];
  const buckets = Object.fromEntries(REGIONS.map((region) => [region, memoryBucket()]));
  const avatars = memoryBucket();
  const stores = new Map<string, MemoryDatabase>();
  const actors = new Map<string, object>();
  const alive = new Set<Life>();
  const runners = new Map<string, JobMessage[]>();
  const plain: Record<string, unknown> = { ...VARS, DB: control.d1 };
  for (const [shard, { d1 }] of Object.entries(ledgers)) plain[`LEDGER_${shard}`] = d1;
  for (const region of REGIONS) plain[`VAULT_${region}`] = buckets[region];
  const sentMails = new Map<string, number>();
  let waiting = 0;
  let lives = 0;
  let deployments = 0;
  let product: Product;
  let bindings: Env;
  let observer: Services;

  const deploy = async (isAbrupt: boolean) => {
    deployments += 1;
    note(`deploy ${deployments}`);
    if (isAbrupt) for (const life of [...alive]) die(life);
    actors.clear();
    Object.assign(globalThis, { sliceRequests: SLICES[ground.roll(SLICES.length)] });
    product = (await import(`${pathToFileURL(ground.bundle)}?deployment=${deployments}`)) as Product;
    bindings = bind();
    observer = { ...buildServices(), ...storageOf(product, plain) };
  };

  /** The newest renewal of the token that the platform has answered and the product has not stored. */
  let renewal: Renewal | null = null;
  let isLossExplained = false;
  let afterCommit = (_by: Life) => {};
  const strike = (life: Life) => {
    if (renewal?.life === life) renewal.isStruck = true;
    for (const each of shown.values()) if (each.life === life) each.isStruck = true;
  };
  const noteRenewal = (life: Life, at: number, status: number) => {
    if (status === 200) {
      // What the product had stored was the newest token.
      isLossExplained = false;
      renewal = { life, at, isStruck: life.isDead };
    } else if (status < 429 && renewal) isLossExplained ||= renewal.isStruck || at - renewal.at >= FLIGHT_MS;
  };
  /** Who has shown the platform which refresh token, and when. Each works once. */
  const shown = new Map<string, Renewal>();
  const showToken = (life: Life, token: string) => {
    const now = scheduler.now();
    const before = shown.get(token);
    const isTold = (["actor", "control", "provider"] as const).every(weather.isFair);
    if (isTold && before && before.life !== life && !before.isStruck && now < before.at + FLIGHT_MS)
      calls.complain("two invocations renew a token at once");
    shown.set(token, { life, at: now, isStruck: false });
  };
  const deaths = new Map<Life, () => void>();
  const die = (life: Life) => {
    strike(life);
    life.isDead = true;
    alive.delete(life);
    deaths.get(life)?.();
    deaths.delete(life);
  };

  /** Late calls. They arrive at the worst time: when another invocation has claimed their run. */
  const late = new Set<(claimant: Life) => void>();

  /** One call to the world outside an isolate: it takes time, and may meet a blow. */
  const call = <T>(life: Life, kind: EffectKind, name: string, act: () => Promise<T> | T): Promise<T> => {
    if (life.isDead) return new Promise<T>(() => {});
    return new Promise<T>((resolve, reject) => {
      const fate = life.fate?.(kind, name);
      // A fate has its own choice of the calls that matter.
      const chosen = life.fate ? null : name;
      const refuse = (cause: unknown) => {
        if (!life.isDead) reject(cause);
      };
      const go = () => {
        const blow = fate?.blow ?? weather.blow(kind, chosen);
        note(`${life.name} ${kind} ${name} ${blow}`);
        if (blow !== "none") strike(life);
        const fault = () => refuse(new Error(`${kind}: internal error; reference = simulated. (${name})`));
        if (blow === "kill-before") return die(life);
        if (blow === "fail-before") return fault();
        Promise.resolve()
          .then(act)
          .then((answer) => {
            if ((kind === "ledger" || kind === "control") && name !== "read") afterCommit(life);
            if (CLAIMS_RUN.test(name)) for (const arrive of [...late]) arrive(life);
            if (name.includes(STORES_TOKEN) && renewal?.life === life) renewal = null;
            if (blow !== "none") strike(life);
            if (blow === "fail-after") return fault();
            if (blow === "kill-after") return die(life);
            if (!life.isDead) resolve(answer);
          })
          .catch((cause: unknown) => {
            note(
              `${life.name} ${kind} ${name} refused: ${cause instanceof Error ? cause.message : String(cause)}`,
            );
            refuse(cause);
          });
      };
      const delayMs = weather.delayMs(kind, chosen) + (fate?.delayMs ?? 0);
      const lateMs = weather.lateMs(kind, chosen);
      if (lateMs === 0) scheduler.after(delayMs, life, go);
      else sendLate(life, delayMs, lateMs, go);
    });
  };

  /** A call that is on its way arrives, whether or not its isolate lives to hear the answer. */
  const sendLate = (life: Life, delayMs: number, lateMs: number, go: () => void) => {
    const land = () => {
      late.delete(arrive);
      if (life.isDead) go();
      else scheduler.after(0, life, go);
    };
    const withdraw = scheduler.after(delayMs + lateMs, null, land);
    const arrive = (claimant: Life) => {
      if (claimant === life || workOf(claimant) !== workOf(life)) return;
      late.delete(arrive);
      withdraw();
      scheduler.after(ground.roll(BEGUN_WITHIN_MS), null, land);
    };
    late.add(arrive);
    if (ground.roll(2) === 0) scheduler.after(delayMs, life, () => die(life));
  };

  /** Bindings belong to the invocation that calls them: only its code runs now. */
  const running = (): Life => scheduler.current() ?? STRANGER;
  const effects: EffectLife = {
    log: [],
    isDead: () => running().isDead,
    death: new Promise(() => {}),
    signal: new AbortController().signal,
    perform: ({ kind, name }, act) => call(running(), kind, name, act),
    look: (act) => call(running(), "ledger", "read", act),
  };

  const actorOf = (kind: "AccountHub" | "ProviderBudget", name: string) => {
    const key = `${kind} ${name}`;
    const known = actors.get(key);
    if (known) return known;
    const store = stores.get(key) ?? openEmpty();
    stores.set(key, store);
    let alarm: number | null = null;
    const storage = {
      sql: store.sql,
      getAlarm: async () => alarm,
      setAlarm: async (at: number) => {
        alarm = at;
      },
    };
    const ctx = { storage, getWebSockets: () => [], setWebSocketAutoResponse: () => {} };
    const made = new product[kind](ctx as unknown as DurableObjectState, {} as never);
    actors.set(key, made);
    return made;
  };
  const namespace = (kind: "AccountHub" | "ProviderBudget") => ({
    getByName: (name: string) =>
      new Proxy(
        {},
        {
          get: (_, method) =>
            method === "then"
              ? undefined
              : (...values: unknown[]) => {
                  const life = running();
                  return call(life, "actor", `${kind}.${String(method)}`, async () => {
                    const actor = actorOf(kind, name) as Record<string, (...values: unknown[]) => unknown>;
                    const answer = await actor[String(method)]!(...values);
                    if (kind === "ProviderBudget") noteBudget({ life, name }, String(method), values, answer);
                    return structuredClone(answer);
                  });
                },
        },
      ),
  });

  /** When each invocation was last granted a call, by the name of the budget. */
  const grants = new WeakMap<Life, Map<string, number>>();
  const grantsOf = (life: Life) => {
    const known = grants.get(life) ?? new Map<string, number>();
    grants.set(life, known);
    return known;
  };
  const noteBudget = (
    { life, name }: { life: Life; name: string },
    method: string,
    values: readonly unknown[],
    answer: unknown,
  ) => {
    const now = scheduler.now();
    if (method === "spend" && (answer as { kind: string }).kind === "granted") grantsOf(life).set(name, now);
    const { retryAt = null } = method === "report" ? (values[1] as { retryAt: number | null }) : {};
    if (retryAt !== null) calls.pause(name, now, retryAt);
  };

  const fetchOutside = (url: string, init: RequestInit = {}): Promise<Response> => {
    const { signal, ...order } = init;
    const path = new URL(url).pathname.replace(/[0-9a-f]{24}/g, "#");
    const life = running();
    const isToldInTime = weather.isFair("actor") && weather.isFair("provider");
    calls.count(url, scheduler.now(), { isToldInTime, granted: grantsOf(life) });
    const isRenewal = String(order.body).includes("grant_type=refresh_token");
    const token = new URLSearchParams(String(order.body)).get("refresh_token") ?? "";
    if (isRenewal) showToken(life, token);
    const answer = call(life, "provider", `${order.method ?? "GET"} ${path}`, async () => {
      const fault = weather.platformFault(path.startsWith("/oauth"));
      if (!fault) {
        const answered = await platform.answer(new Request(url, order));
        if (isRenewal) noteRenewal(life, scheduler.now(), answered.status);
        if (isRenewal && answered.status !== 200) shown.delete(token);
        return answered;
      }
      shown.delete(token);
      const headers = { "content-type": "application/json", "retry-after": String(fault.retryAfterSeconds) };
      const isAdvised = fault.retryAfterSeconds > 0;
      if (isAdvised) calls.forbidUntil(url, scheduler.now() + fault.retryAfterSeconds * SECOND_MS);
      const body = JSON.stringify({ error: "API_TOKEN_LIMIT_EXCEEDED", message: "Rate limit exceeded" });
      return new Response(body, { status: fault.status, ...(isAdvised ? { headers } : {}) });
    });
    if (!signal) return answer;
    const gone = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    return Promise.race([answer, gone]);
  };

  /** The environment of a deployment. As in an isolate, all its invocations share it. */
  const bind = (): Env => {
    const producer = {
      sendBatch: (messages: { body: JobMessage }[], options?: { delaySeconds?: number }) =>
        call(running(), "queue", messages[0]?.body.job ?? "nothing", () => {
          for (const { body } of messages) {
            const text = JSON.stringify(body);
            const delayMs = (options?.delaySeconds ?? 0) * SECOND_MS;
            for (const lateMs of weather.arrivals())
              post({ body: JSON.parse(text) as JobMessage, attempts: 0 }, delayMs + lateMs);
          }
        }),
    };
    const bound: Record<string, unknown> = {
      ...VARS,
      DB: mortalDatabase(control.d1, "control", effects),
      ACCOUNT_HUB: namespace("AccountHub"),
      PROVIDER_BUDGET: namespace("ProviderBudget"),
      AVATARS: mortalBucket(avatars as unknown as R2Bucket, effects),
      ASSETS: { fetch: async () => new Response(null, { status: 404 }) },
      ...{ BACKUPS: producer, RESTORES: producer, EXPORTS: producer, MAIL: producer },
    };
    for (const [shard, { d1 }] of Object.entries(ledgers))
      bound[`LEDGER_${shard}`] = mortalDatabase(d1, "ledger", effects);
    for (const region of REGIONS)
      bound[`VAULT_${region}`] = mortalBucket(buckets[region] as unknown as R2Bucket, effects);
    return bound as unknown as Env;
  };

  /** The services of one invocation: each finds the organisation's ledger anew. */
  const buildServices = (): Services => ({
    ...product.buildServices(bindings),
    fetch: fetchOutside,
    // Screens are not simulated.
    live: { publish: async () => {}, disconnect: async () => {} },
    mailer: {
      send: ({ key }) =>
        call(running(), "actor", "Mailer.send", () => {
          sentMails.set(key, (sentMails.get(key) ?? 0) + 1);
        }).catch((cause: unknown) => {
          throw new product.MailError("the simulated service did not answer", {
            isPermanent: false,
            cause,
          });
        }),
    },
    runners: {
      start: (job) => call(running(), "actor", `Runner.start ${job.job}`, () => startRunner(job)),
    },
  });

  /** Lets an isolate do something, and ends its life. Resolves to undefined when it died before. */
  const live = async <T>(
    name: string,
    act: (services: Services) => Promise<T>,
    fate?: Fate,
  ): Promise<T | undefined> => {
    const life: Life = { name: `${name}#${++lives}`, isDead: false, ...(fate ? { fate } : {}) };
    alive.add(life);
    const death = new Promise<undefined>((resolve) => deaths.set(life, () => resolve(undefined)));
    const begun = new Promise<T>((resolve, reject) =>
      scheduler.after(0, life, () => act(buildServices()).then(resolve, reject)),
    );
    try {
      return await Promise.race([begun, death]);
    } finally {
      // What an invocation has left running does not outlive it.
      life.isDead = true;
      alive.delete(life);
      deaths.delete(life);
    }
  };

  const runnerName = ({ job, payload }: JobMessage) =>
    `${job}:${"runId" in payload ? payload.runId : Object.values(payload).join(":")}`;

  /** A runner does its jobs one after the other, each in its own invocation. */
  const startRunner = (job: JobMessage) => {
    const name = runnerName(job);
    const queued = runners.get(name);
    if (queued) {
      // Its storage holds one job: the newest.
      queued.splice(1, queued.length, job);
      return;
    }
    runners.set(name, [job]);
    scheduler.after(1, null, () => void runJobs(name));
  };
  const runJobs = async (name: string) => {
    const queued = runners.get(name)!;
    for (let job = queued[0]; job; job = queued[0]) {
      const current = job;
      await live(name, (services) => product.handle(services, current)).catch((cause: unknown) =>
        note(`${current.job} failed: ${cause instanceof Error ? cause.message : String(cause)}`),
      );
      queued.shift();
    }
    runners.delete(name);
  };

  const post = (letter: Letter, delayMs: number) => {
    // Nothing is in the other regions; their messages would only take time.
    if ("region" in letter.body.payload && letter.body.payload.region !== REGION) return;
    waiting += 1;
    scheduler.after(delayMs, null, () => {
      waiting -= 1;
      void deliver(letter);
    });
  };
  const deliver = async (letter: Letter) => {
    const again = (delayMs: number) => post({ ...letter, attempts: letter.attempts + 1 }, delayMs);
    const isDead = letter.attempts > QUEUE_RETRIES;
    let isDone = isDead;
    const message = {
      body: letter.body,
      ack: () => {
        isDone = true;
      },
      retry: ({ delaySeconds = 0 }: { delaySeconds?: number } = {}) => {
        isDone = true;
        again(delaySeconds * SECOND_MS);
      },
    };
    const batch = { queue: isDead ? "simulated-dead" : "simulated", messages: [message], ackAll: () => {} };
    await live("queue", (services) => product.consume(services, batch as unknown as MessageBatch<unknown>));
    if (!isDone) again(VISIBILITY_MS);
  };

  await deploy(false);
  return {
    control,
    ledgers: regionLedgers,
    ledger: regionLedgers.own,
    bucket: buckets[REGION]!,
    deploy,
    product: () => product,
    invoke: (name, act, member) =>
      live(name, (services) => {
        const ledger = product.ledgersFor(bindings, services, member ?? null);
        return act(product, { ...services, ledger });
      }),
    command: (name, act, fate) => live(name, (services) => act(product, services), fate),
    look: (act) => {
      const ledger = product.openLedgers(plain as unknown as StorageBindings, observer.control);
      return act(product, { ...observer, ledger });
    },
    tick: (cron) => {
      void live("cron", (services) => product.onTick(services, cron));
    },
    tickLedgers: (duties) => {
      const messages = SHARDS.flatMap((shard) =>
        duties.map((duty) => ({
          job: "tend-ledger" as const,
          payload: { ...product.placeOf(shard), duty },
        })),
      );
      void live("cron", (own) => own.queue.send(messages));
    },
    sentMails,
    isLossExplained: () => isLossExplained,
    onCommit: (look) => {
      afterCommit = (by) => {
        regionLedgers.notice();
        look(by);
      };
    },
    isBusy: () => waiting > 0 || runners.size > 0 || alive.size > 0,
  };
}

/** The parts of the services that read databases and buckets. */
function storageOf(product: Product, bindings: Record<string, unknown>) {
  const producer = { sendBatch: async () => {} };
  const queues = { BACKUPS: producer, RESTORES: producer, EXPORTS: producer, MAIL: producer };
  const all = { ...bindings, ...queues, ASSETS: {} } as unknown as Env;
  const { control, bucket } = product.buildServices(all);
  return { control, bucket };
}
