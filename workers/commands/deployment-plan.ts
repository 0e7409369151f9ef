/** Location of a database or bucket: a jurisdiction guarantees it, a location hint only requests it. */
export type Residence = { jurisdiction: "eu" | "us" } | { location: "weur" | "oc" };

/** The account's existing resources. A `jurisdiction` of null means that the location is not guaranteed. */
export type DeployedState = {
  databases: { name: string; id: string; jurisdiction: string | null }[];
  /** Each jurisdiction may have a bucket of the same name. */
  buckets: { name: string; jurisdiction: string | null }[];
  queues: string[];
  /** Names of the Worker's secrets; empty before the first deployment. */
  secrets: string[];
};

/** One wrangler command of the plan, and the sentence that announces it. */
export type DeploymentStep = {
  what: string;
  args: string[];
  /** True when "already exists" counts as success: the lists of buckets and queues may be incomplete (pagination). */
  mayExist?: boolean;
};

/** Secrets that are generated once and never changed by a deployment: a new master key would lose every vault. */
export const KEYS = ["MASTER_KEYS", "LINK_KEYS", "AUTH_SECRET"] as const;

/** True for a valid host name of a Worker. */
export function isHost(text: string): boolean {
  return text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text);
}

/** A database of wrangler.toml. */
type BoundDatabase = { binding: string; name: string };

/** The databases of a configuration, in its order: the control plane, then every ledger of each region. */
export function databasesIn(config: string): BoundDatabase[] {
  const found = config.matchAll(/^binding = "((?:DB|LEDGER_\w+))"\ndatabase_name = "([^"]+)"/gm);
  return [...found].map(([, binding = "", name = ""]) => ({ binding, name }));
}

/**
 * The control plane and the profile photos are requested near the users in Europe. Ledgers and vaults follow the
 * customer's region.
 */
const DATABASE_RESIDENCES: Readonly<Record<string, Residence>> = {
  "holdfast-control": { location: "weur" },
  "holdfast-ledger-us": { jurisdiction: "us" },
  "holdfast-ledger-eu": { jurisdiction: "eu" },
  "holdfast-ledger-weur": { location: "weur" },
  "holdfast-ledger-oc": { location: "oc" },
};

/**
 * Where a database is. A further ledger of a region has the name of the first and its number: `holdfast-ledger-eu-2`.
 * @throws Error for a name that no place is known for
 */
function residenceOf(name: string): Residence {
  const residence = DATABASE_RESIDENCES[name.replace(/-\d+$/, "")];
  if (!residence) throw new Error(`${name} in wrangler.toml is not named like a database of a known place.`);
  return residence;
}

export const BUCKET_RESIDENCES: Readonly<Record<string, Residence>> = {
  "holdfast-vault-us": { jurisdiction: "us" },
  "holdfast-vault-eu": { jurisdiction: "eu" },
  "holdfast-vault-weur": { location: "weur" },
  "holdfast-vault-oc": { location: "oc" },
  "holdfast-avatars": { location: "weur" },
  "holdfast-dumps": { location: "weur" },
};

const QUEUES = ["backups", "restores", "exports", "mail"].flatMap((name) => [
  `holdfast-${name}`,
  `holdfast-${name}-dead`,
]);

/**
 * The resources to create before a release, in order. Existing resources are never changed, so the plan of a complete
 * account is empty. A location is fixed at creation: a database or bucket cannot be moved later.
 * @throws Error when a database exists outside the jurisdiction that customers are promised
 */
export function provisioningPlan(state: DeployedState, bound: readonly BoundDatabase[]): DeploymentStep[] {
  const residences = bound.map(({ name }) => [name, residenceOf(name)] as const);
  for (const [name, residence] of residences) {
    const found = state.databases.find((database) => database.name === name);
    if (found && "jurisdiction" in residence && found.jurisdiction !== residence.jurisdiction) {
      throw new Error(
        `The database ${name} exists, but is not ${wordsFor(residence)}, and a residence cannot be changed. ` +
          "Rename or delete it, then repeat the command.",
      );
    }
  }
  const databases = residences.filter(
    ([name]) => !state.databases.some((database) => database.name === name),
  );
  const buckets = Object.entries(BUCKET_RESIDENCES).filter(
    ([name, residence]) =>
      !state.buckets.some(
        (bucket) => bucket.name === name && bucket.jurisdiction === jurisdictionOf(residence),
      ),
  );
  const queues = QUEUES.filter((name) => !state.queues.includes(name));
  return [
    ...databases.map(([name, residence]) => ({
      what: `Create the database ${name} (${wordsFor(residence)})`,
      args: ["d1", "create", name, ...residenceFlags(residence)],
    })),
    ...buckets.map(([name, residence]) => ({
      what: `Create the bucket ${name} (${wordsFor(residence)})`,
      args: ["r2", "bucket", "create", name, ...residenceFlags(residence)],
      mayExist: true,
    })),
    ...queues.map((name) => ({
      what: `Create the queue ${name}`,
      args: ["queues", "create", name],
      mayExist: true,
    })),
  ];
}

/**
 * The secrets that a release uploads. User-supplied values are always uploaded, so that changes arrive. A generated key
 * is uploaded only if the Worker does not have it yet.
 */
export function secretsToUpload(
  state: DeployedState,
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const isKept = (name: string) => KEYS.some((key) => key === name) && state.secrets.includes(name);
  return Object.fromEntries(Object.entries(secrets).filter(([name, value]) => value !== "" && !isKept(name)));
}

/**
 * The steps of every release: first the lock and the schema (migrations only add, so the running Worker is unaffected), then the
 * Worker.
 */
export function releasePlan(order: {
  config: string;
  databases: readonly BoundDatabase[];
  secretsFile: string | null;
  /** The rules of the lock on the dumps. The vaults have none: what is erased must go. */
  lockFile: string;
}): DeploymentStep[] {
  const config = ["--config", order.config];
  const migrations = order.databases.map(({ binding }) => ({
    what: `Migrate ${binding}`,
    args: ["d1", "migrations", "apply", binding, "--remote", ...config],
  }));
  // Set whole at every release, so that a release repairs a lock that is missing or was changed.
  const lock = {
    what: "Lock dumps for seven days",
    args: ["r2", "bucket", "lock", "set", "holdfast-dumps", "--file", order.lockFile, "--force"],
  };
  const secrets = order.secretsFile === null ? [] : ["--secrets-file", order.secretsFile];
  return [lock, ...migrations, { what: "Deploy the Worker", args: ["deploy", ...config, ...secrets] }];
}

/**
 * The production configuration: the repository's configuration with the account's ids, jurisdictions, domain and mail
 * binding. Returns the text of wrangler.production.toml.
 * @throws Error when a database has no id yet or the text is not the expected configuration
 */
export function productionConfig(base: string, state: DeployedState, domain: string): string {
  let text = base;
  for (const { name } of databasesIn(base)) {
    const id = state.databases.find((database) => database.name === name)?.id;
    if (!id) throw new Error(`The database ${name} has no id yet.`);
    const pattern = new RegExp(`(database_name = "${name}"\\n)database_id = "[^"]*"`);
    text = replaceOnce(text, pattern, `$1database_id = "${id}"`);
  }
  for (const [name, residence] of Object.entries(BUCKET_RESIDENCES)) {
    const jurisdiction = jurisdictionOf(residence);
    if (jurisdiction === null) continue;
    const line = `bucket_name = "${name}"`;
    text = replaceOnce(text, new RegExp(line), `${line}\njurisdiction = "${jurisdiction}"`);
  }
  const route = `routes = [{ pattern = "${domain}", custom_domain = true }]`;
  text = replaceOnce(text, /^(main = .*)$/m, `$1\n${route}`);
  return [
    "# Written by `npm run deploy`; change wrangler.toml instead.",
    text.trimEnd(),
    "",
    "[[send_email]]",
    'name = "MAIL_SENDER"',
    "",
    "[vars]",
    `PUBLIC_URL = "https://${domain}"`,
    'DO_JURISDICTION = "on"',
    "",
  ].join("\n");
}

function replaceOnce(text: string, pattern: RegExp, replacement: string): string {
  if (!pattern.test(text)) throw new Error(`wrangler.toml has no line like ${pattern.source}`);
  return text.replace(pattern, replacement);
}

function jurisdictionOf(residence: Residence): string | null {
  return "jurisdiction" in residence ? residence.jurisdiction : null;
}

function residenceFlags(residence: Residence): string[] {
  return "jurisdiction" in residence
    ? ["--jurisdiction", residence.jurisdiction]
    : ["--location", residence.location];
}

function wordsFor(residence: Residence): string {
  return "jurisdiction" in residence
    ? `guaranteed inside ${residence.jurisdiction.toUpperCase()}`
    : `wished near ${residence.location}`;
}
