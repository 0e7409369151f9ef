import type { Host } from "#connectors/contract/host-app.ts";
import { PaymentError, type PaymentProvider } from "#connectors/contract/payment-provider.ts";
import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import { createStripe } from "#connectors/payments/stripe/index.ts";
import { hostApps } from "#connectors/registry/host-apps.generated.ts";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { setups } from "#connectors/registry/setups.generated.ts";
import { storages } from "#connectors/registry/storages.generated.ts";
import { type Frame, type Passwords, scryptPasswords } from "#core/accounts/index.ts";
import { provideWordLists, WORD_LISTS_PATH } from "#core/accounts/password-strength.schema.ts";
import {
  type ControlDatabase,
  controlDatabase,
  type StorageBindings,
  vaultBucket,
} from "#core/database/ledgers.ts";
import { listShards } from "#core/database/shards.ts";
import { type JobMessage, type JobQueue, jobs, type QueueName } from "#core/jobs/index.ts";
import { systemClock } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { logger } from "#core/kernel/logger.ts";
import {
  absentMailer,
  createBindingMailer,
  createHttpMailer,
  type Mailer,
  type SendEmailBinding,
} from "#core/mail/index.ts";
import type { Member } from "#core/organisations/index.ts";
import { openLedgers } from "#core/placement/index.ts";
import type { BackupWindows, CoreServices, ProviderBudgets } from "#core/services.ts";
import { accountHub, livePublisher, objectIn, providerBudget } from "#durable-objects/stubs.ts";
import { readSettings, type Settings } from "./env.ts";
import { isSetUp } from "./is-set-up.ts";
import { outsideFetch } from "./outside-fetch.ts";

/**
 * Everything that core needs, built once per invocation. This is the only place that knows all parts; each core
 * function takes the part it uses.
 */
export type Services = CoreServices & {
  /** The client's network address while a request runs. The audit trail records it; null when it is not known. */
  callerIp?: string | null;
  settings: Settings & {
    /** The host's frame in which this request's page is shown; absent outside of one. */
    FRAME?: Frame;
  };
  /** Our apps inside platforms, as far as they are set up. */
  hosts: readonly Host[];
  /** Whether this installation has what reaches the platform. Without it nobody can connect an account there. */
  isSetUp: (platform: string) => boolean;
  mailer: Mailer;
  runners: JobRunners;
  passwords: Passwords;
};

/** Starts jobs apart from the messages that brought them. */
export interface JobRunners {
  /** Returns when the job is certain to start. */
  start(job: JobMessage): Promise<void>;
}

/** Builds the services of one invocation. @throws ZodError naming every setting that is missing or malformed */
export function buildServices(env: Env): Services {
  const settings = readSettings(env);
  const connectorConfig = readConnectorConfig(env);
  provideWordLists(() => env.ASSETS.fetch(new URL(WORD_LISTS_PATH, settings.PUBLIC_URL)));
  return {
    settings,
    clock: systemClock,
    ids: randomIds,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    fetch: outsideFetch,
    control: controlDatabase(env),
    ledger: openLedgers(env, controlDatabase(env)),
    shards: listShards(env),
    bucket: (region) => vaultBucket(env, region),
    avatars: env.AVATARS,
    dumps: { bucket: env.DUMPS, publicKey: settings.DUMP_PUBLIC_KEY },
    connectors: new Map(platforms.map(({ connector }) => [connector.descriptor.id, connector])),
    connectorConfig,
    isSetUp: (platform) => isSetUp(setups[platform]?.settings ?? [], connectorConfig),
    hosts: openHosts(env),
    storages: new Map(storages.map(({ connector }) => [connector.descriptor.id, connector])),
    payments: paymentProvider(settings),
    queue: jobQueue(env),
    live: livePublisher(env),
    windows: backupWindows(env),
    budgets: providerBudgets(env),
    runners: { start: (job) => runnerOf(env, job).start(job) },
    mailer: createMailer(env, settings),
    passwords: scryptPasswords(),
  };
}

/** The payment provider; without a secret key, one that answers nothing. */
function paymentProvider(settings: Settings): PaymentProvider {
  if (settings.STRIPE_SECRET_KEY !== "") {
    // The SDK calls it as a method; workerd's fetch must be called without an object.
    return createStripe(settings, { clock: systemClock, fetch: (input, init) => fetch(input, init) });
  }
  const absent = async () => {
    throw new PaymentError("unavailable", "No payment provider is configured.");
  };
  return new Proxy({} as PaymentProvider, { get: () => absent });
}

let configured: { source: Env; config: ConnectorConfig } | null = null;

/** Each platform's configuration from the environment, checked once per isolate like the settings. */
function readConnectorConfig(env: Env): ConnectorConfig {
  if (configured?.source !== env) {
    const parts = [...platforms, ...storages].map(({ configSchema }) => configSchema.parse(env));
    configured = { source: env, config: Object.assign({}, ...parts) };
  }
  return configured.config;
}

let opened: { source: Env; hosts: readonly Host[] } | null = null;

/** Our apps inside platforms, read once per isolate like the settings. */
function openHosts(env: Env): readonly Host[] {
  if (opened?.source !== env) {
    const hosts = hostApps.flatMap((app) => app.open(env) ?? []);
    opened = { source: env, hosts };
  }
  return opened.hosts;
}

/** The ledgers of a member's request, whose own are known. */
export function ledgersFor(
  env: StorageBindings,
  { control, ledger }: Pick<Services, "control" | "ledger">,
  member: Member | null,
): Services["ledger"] {
  if (member?.shards === undefined) return ledger;
  return openLedgers(env, control, { organisationId: member.organisationId, shards: member.shards });
}

/** The services of a request that a page in a host's frame sends. A licence of its marketplace hides our own sales. */
export function inFrame(services: Services, frame: Frame): Services {
  const { settings } = services;
  const RESTRICTED_MODE = frame.isLicensed ? "on" : settings.RESTRICTED_MODE;
  return { ...services, settings: { ...settings, RESTRICTED_MODE, FRAME: frame } };
}

const log = logger("services");

/** The maximum number of messages in one queue call. */
const SEND_AT_ONCE = 100;

function jobQueue(env: Record<QueueName, Queue>): JobQueue {
  return {
    send: async (messages, options) => {
      for (const name of ["BACKUPS", "RESTORES", "EXPORTS", "MAIL"] as const) {
        const ofQueue = messages.filter((message: JobMessage) => jobs[message.job].queue === name);
        for (let at = 0; at < ofQueue.length; at += SEND_AT_ONCE) {
          const batch = ofQueue.slice(at, at + SEND_AT_ONCE).map((body) => ({ body }));
          // The rows are already written, so the caller must not see a failure. The sweep sends the messages again.
          await env[name]
            .sendBatch(batch, { delaySeconds: options?.delaySeconds ?? 0 })
            .catch((cause: unknown) => {
              log.error("{count} messages could not be queued", { count: batch.length, queue: name, cause });
            });
        }
      }
    },
  };
}

function backupWindows(env: Env): BackupWindows {
  return {
    claim: (organisationId, key, now, windowMs) => accountHub(env, organisationId).claim(key, now, windowMs),
    claimAll: (organisationId, keys, now, windowMs) =>
      accountHub(env, organisationId).claimAll([...keys], now, windowMs),
    release: (organisationId, key) => accountHub(env, organisationId).release(key),
    closed: async (organisationId, now) => {
      // A hub of the release before has no list: its windows are asked by key.
      const answer = await accountHub(env, organisationId)
        .closed(now)
        .catch(() => null);
      return answer && Object.fromEntries(Object.entries(answer));
    },
    opensAt: async (organisationId, keys, now) => {
      const answer = await accountHub(env, organisationId).opensAt([...keys], now);
      return Object.fromEntries(
        Object.entries(answer).flatMap(([key, at]) => (at === null ? [] : [[key, at]])),
      );
    },
  };
}

/** The runner of a job. The same job has the same runner, so it never runs twice at once. */
function runnerOf(env: Env, { job, payload }: JobMessage) {
  const about = "runId" in payload ? payload.runId : Object.values(payload).join(":");
  const region = "region" in payload ? payload.region : null;
  return objectIn(env, env.RUNNER, { name: `${job}:${about}`, region });
}

function providerBudgets(env: Env): ProviderBudgets {
  return {
    spend: (key, resource, points, now, window, most) =>
      providerBudget(env, key).spend(resource, points, now, window, most),
    report: (key, limits, now, window, back) =>
      providerBudget(env, key).report(limits.resource, limits, now, window, back),
    left: (key, now, windows) => providerBudget(env, key).left(now, windows),
    beginRefresh: (key, connectionId, version, now) =>
      providerBudget(env, key).beginRefresh(connectionId, version, now),
    endRefresh: (key, connectionId, version) => providerBudget(env, key).endRefresh(connectionId, version),
  };
}

/** Cloudflare's mail binding if it is bound, otherwise the mail service at MAIL_URL. */
function createMailer(env: Env, settings: Settings): Mailer {
  const binding = (env as { MAIL_SENDER?: SendEmailBinding }).MAIL_SENDER;
  if (binding) return createBindingMailer({ binding, from: settings.MAIL_FROM });
  if (!settings.MAIL_URL) return absentMailer;
  return createHttpMailer({
    url: settings.MAIL_URL,
    token: settings.MAIL_TOKEN ?? "",
    from: settings.MAIL_FROM,
    fetch,
  });
}

/** The control database of one request, and what it has reached when the request ends. */
export type ControlSession = { control: ControlDatabase; bookmark: () => string | null };

/**
 * Opens the control database for one request. Only the control database may have read replicas: a ledger's data stays
 * in its region.
 *
 * @param start What the first read needs: `first-primary`, `first-unconstrained`, or at least a bookmark. Later reads
 *   see what earlier statements of the request have written.
 */
export function openControl(env: StorageBindings, start: string): ControlSession {
  const session = env.DB.withSession(start);
  // A session prepares and batches as a database does, and nothing else is asked of one.
  const control = controlDatabase({ ...env, DB: session as unknown as D1Database });
  return { control, bookmark: () => session.getBookmark() };
}
