/** Where a database or bucket must stand: guaranteed by a jurisdiction, or wished by a location hint. */
export type Residence = { jurisdiction: "eu" | "us" } | { location: "weur" | "oc" };

/** What the account holds already. */
export type DeployedState = {
  databases: { name: string; id: string }[];
  buckets: string[];
  queues: string[];
  /** Names of the Worker's secrets. */
  secrets: string[];
};

/** What this release needs. `secrets` maps names to values to upload when the Worker has none of that name. */
export type DeploymentWish = {
  /** Host that people type, e.g. `app.holdfast.example`. */
  domain: string;
  secrets: Readonly<Record<string, string>>;
};

/** One command of the plan, as arguments for wrangler, and the sentence that announces it. */
export type DeploymentStep = { what: string; args: string[] };

/** The control plane, people's photos with it, is wished near its users in Europe; ledgers and vaults follow the region that a customer chose. */
export const DATABASE_RESIDENCES: Readonly<Record<string, Residence>> = {
  "holdfast-control": { location: "weur" },
  "holdfast-ledger-us": { jurisdiction: "us" },
  "holdfast-ledger-eu": { jurisdiction: "eu" },
  "holdfast-ledger-weur": { location: "weur" },
  "holdfast-ledger-oc": { location: "oc" },
};

export const BUCKET_RESIDENCES: Readonly<Record<string, Residence>> = {
  "holdfast-vault-us": { jurisdiction: "us" },
  "holdfast-vault-eu": { jurisdiction: "eu" },
  "holdfast-vault-weur": { location: "weur" },
  "holdfast-vault-oc": { location: "oc" },
  "holdfast-avatars": { location: "weur" },
};

const QUEUES = ["backups", "restores", "exports", "mail"].flatMap((name) => [
  `holdfast-${name}`,
  `holdfast-${name}-dead`,
]);

/**
 * What has to be created before a release, in order. A resource that exists is never touched, so the plan of an
 * account that is complete is empty. Residence is fixed at creation: a database or bucket cannot be moved later.
 */
export function provisioningPlan(state: DeployedState): DeploymentStep[] {
  const databases = Object.entries(DATABASE_RESIDENCES).filter(
    ([name]) => !state.databases.some((database) => database.name === name),
  );
  const buckets = Object.entries(BUCKET_RESIDENCES).filter(([name]) => !state.buckets.includes(name));
  const queues = QUEUES.filter((name) => !state.queues.includes(name));
  return [
    ...databases.map(([name, residence]) => ({
      what: `Create the database ${name} (${wordsFor(residence)})`,
      args: ["d1", "create", name, ...residenceFlags(residence)],
    })),
    ...buckets.map(([name, residence]) => ({
      what: `Create the bucket ${name} (${wordsFor(residence)})`,
      args: ["r2", "bucket", "create", name, ...residenceFlags(residence)],
    })),
    ...queues.map((name) => ({ what: `Create the queue ${name}`, args: ["queues", "create", name] })),
  ];
}

/** The secrets that the Worker does not have yet. One that it has is never overwritten: a new master key loses vaults. */
export function missingSecrets(state: DeployedState, wish: DeploymentWish): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wish.secrets).filter(([name, value]) => value !== "" && !state.secrets.includes(name)),
  );
}

/** Every release: schema first (migrations only add, so the running Worker does not mind), then the Worker. */
export function releasePlan(order: { config: string; secretsFile: string | null }): DeploymentStep[] {
  const config = ["--config", order.config];
  const migrations = ["DB", "LEDGER_US", "LEDGER_DE", "LEDGER_UK", "LEDGER_AP"].map((binding) => ({
    what: `Migrate ${binding}`,
    args: ["d1", "migrations", "apply", binding, "--remote", ...config],
  }));
  const secrets = order.secretsFile === null ? [] : ["--secrets-file", order.secretsFile];
  return [...migrations, { what: "Deploy the Worker", args: ["deploy", ...config, ...secrets] }];
}

/**
 * The configuration of production: the one in the repository with the account's own ids, jurisdictions, domain
 * and mail binding. Answers text for wrangler.production.toml.
 * @throws Error when a database has no id yet or the text is not the expected configuration
 */
export function productionConfig(base: string, state: DeployedState, wish: DeploymentWish): string {
  let text = base;
  for (const name of Object.keys(DATABASE_RESIDENCES)) {
    const id = state.databases.find((database) => database.name === name)?.id;
    if (!id) throw new Error(`The database ${name} has no id yet.`);
    const pattern = new RegExp(`(database_name = "${name}"\\n)database_id = "[^"]*"`);
    text = replaceOnce(text, pattern, `$1database_id = "${id}"`);
  }
  for (const [name, residence] of Object.entries(BUCKET_RESIDENCES)) {
    if (!("jurisdiction" in residence)) continue;
    const line = `bucket_name = "${name}"`;
    text = replaceOnce(text, new RegExp(line), `${line}\njurisdiction = "${residence.jurisdiction}"`);
  }
  const route = `routes = [{ pattern = "${wish.domain}", custom_domain = true }]`;
  text = replaceOnce(text, /^(main = .*)$/m, `$1\n${route}`);
  return [
    "# Written by `npm run deploy`; change wrangler.toml instead.",
    text.trimEnd(),
    "",
    "[[send_email]]",
    'name = "MAIL_SENDER"',
    "",
    "[vars]",
    `PUBLIC_URL = "https://${wish.domain}"`,
    'DO_JURISDICTION = "on"',
    "",
  ].join("\n");
}

function replaceOnce(text: string, pattern: RegExp, replacement: string): string {
  if (!pattern.test(text)) throw new Error(`wrangler.toml has no line like ${pattern.source}`);
  return text.replace(pattern, replacement);
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
