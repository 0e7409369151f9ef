import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  type DeployedState,
  databasesIn,
  isHost,
  productionConfig,
  provisioningPlan,
  releasePlan,
  secretsToUpload,
} from "./deployment-plan.ts";

const EMPTY: DeployedState = { databases: [], buckets: [], queues: [], secrets: [] };
const CONFIG = readFileSync(path.resolve(import.meta.dirname, "../../wrangler.toml"), "utf8");
const DATABASES = databasesIn(CONFIG);
const DOMAIN = "app.holdfast.example";

/** The account's state after these steps. */
function carryOut(state: DeployedState, steps: { args: string[] }[]): DeployedState {
  const after: DeployedState = structuredClone(state);
  for (const { args } of steps) {
    const jurisdiction = args.includes("--jurisdiction") ? (args.at(-1) ?? null) : null;
    if (args[0] === "d1") after.databases.push({ name: args[2] ?? "", id: `id-of-${args[2]}`, jurisdiction });
    if (args[0] === "r2") after.buckets.push({ name: args[3] ?? "", jurisdiction });
    if (args[0] === "queues") after.queues.push(args[2] ?? "");
  }
  return after;
}

test("an empty account gets every resource, and a second plan is empty", () => {
  const first = provisioningPlan(EMPTY, DATABASES);
  expect(first).toHaveLength(5 + 6 + 8);
  expect(provisioningPlan(carryOut(EMPTY, first), DATABASES)).toEqual([]);
});

test("an interrupted deployment continues where it stopped", () => {
  const first = provisioningPlan(EMPTY, DATABASES);
  const half = carryOut(EMPTY, first.slice(0, 7));
  expect(provisioningPlan(half, DATABASES)).toEqual(first.slice(7));
});

test("US and DE are jurisdictions, UK and AP are hints", () => {
  const flagsOf = (name: string) =>
    provisioningPlan(EMPTY, DATABASES)
      .find((step) => step.args.includes(name))
      ?.args.slice(-2);
  expect(flagsOf("holdfast-vault-eu")).toEqual(["--jurisdiction", "eu"]);
  expect(flagsOf("holdfast-ledger-us")).toEqual(["--jurisdiction", "us"]);
  expect(flagsOf("holdfast-vault-weur")).toEqual(["--location", "weur"]);
  expect(flagsOf("holdfast-ledger-oc")).toEqual(["--location", "oc"]);
});

test("exactly the resources in the configuration are created", () => {
  const names = (pattern: RegExp) => [...CONFIG.matchAll(pattern)].map((match) => match[1]);
  const bound = new Set([
    ...names(/database_name = "([^"]+)"/g),
    ...names(/bucket_name = "([^"]+)"/g),
    ...names(/^queue = "([^"]+)"/gm),
    ...names(/dead_letter_queue = "([^"]+)"/g),
  ]);
  const planned = provisioningPlan(EMPTY, DATABASES).map((step) =>
    step.args[0] === "r2" ? step.args[3] : step.args[2],
  );
  expect(new Set(planned)).toEqual(bound);
});

test("a database outside its jurisdiction stops the plan, and a bucket of the same name elsewhere does not count", () => {
  const state = carryOut(EMPTY, provisioningPlan(EMPTY, DATABASES));
  const strayed = state.databases.map((one) =>
    one.name === "holdfast-ledger-eu" ? { ...one, jurisdiction: null } : one,
  );
  expect(() => provisioningPlan({ ...state, databases: strayed }, DATABASES)).toThrow(
    "The database holdfast-ledger-eu exists, but is not guaranteed inside EU",
  );
  const buckets = state.buckets.map((one) =>
    one.name === "holdfast-vault-us" ? { ...one, jurisdiction: "eu" } : one,
  );
  expect(provisioningPlan({ ...state, buckets }, DATABASES).map((step) => step.args)).toEqual([
    ["r2", "bucket", "create", "holdfast-vault-us", "--jurisdiction", "us"],
  ]);
});

test("an existing key is never overwritten; configured values are uploaded every time, empty lines never", () => {
  const secrets = { MASTER_KEYS: "1:abc", GITHUB_CLIENT_ID: "", GITHUB_CLIENT_SECRET: "new" };
  expect(secretsToUpload(EMPTY, secrets)).toEqual({ MASTER_KEYS: "1:abc", GITHUB_CLIENT_SECRET: "new" });
  const later = { ...EMPTY, secrets: ["MASTER_KEYS", "GITHUB_CLIENT_SECRET"] };
  expect(secretsToUpload(later, secrets)).toEqual({ GITHUB_CLIENT_SECRET: "new" });
});

test("a host is only a name", () => {
  for (const host of ["app.holdfast.example", "holdfast.example", "a-b.c.de"])
    expect([host, isHost(host)]).toEqual([host, true]);
  const others = [
    "",
    "localhost",
    "https://app.example.com",
    "app.example.com/",
    'a".example.com',
    "-a.example",
  ];
  for (const text of others) expect([text, isHost(text)]).toEqual([text, false]);
});

test("the production configuration has the account's ids, jurisdictions and domain", () => {
  const state = carryOut(EMPTY, provisioningPlan(EMPTY, DATABASES));
  const config = productionConfig(CONFIG, state, DOMAIN);
  expect(config).not.toContain("00000000-0000");
  expect(config).toContain('database_name = "holdfast-ledger-eu"\ndatabase_id = "id-of-holdfast-ledger-eu"');
  expect(config).toContain('bucket_name = "holdfast-vault-us"\njurisdiction = "us"');
  expect(config).not.toMatch(/bucket_name = "holdfast-vault-oc"\njurisdiction/);
  expect(config).toContain('pattern = "app.holdfast.example", custom_domain = true');
  expect(config.indexOf("routes = ")).toBeLessThan(config.search(/^\[/m));
  expect(() => productionConfig(CONFIG, EMPTY, DOMAIN)).toThrow("holdfast-control has no id yet");
});

test("a release locks the dumps for the seven days after which the product deletes them, and no vault", () => {
  const lock = releasePlan({
    config: "c",
    databases: DATABASES,
    secretsFile: null,
    lockFile: "lock.json",
  }).filter(({ args }) => args[0] === "r2");
  expect(lock.map(({ args }) => args)).toEqual([
    ["r2", "bucket", "lock", "set", "holdfast-dumps", "--file", "lock.json", "--force"],
  ]);
  const file = path.resolve(import.meta.dirname, "dumps-lock.json");
  const [rule] = (JSON.parse(readFileSync(file, "utf8")) as { rules: { condition: object }[] }).rules;
  expect(rule!.condition).toEqual({ type: "Age", maxAgeSeconds: 7 * 24 * 60 * 60 });
});

test("a release migrates all five databases before it deploys", () => {
  const steps = releasePlan({
    config: "wrangler.production.toml",
    databases: DATABASES,
    secretsFile: null,
    lockFile: "lock.json",
  });
  expect(steps.map((step) => step.args[0])).toEqual(["r2", "d1", "d1", "d1", "d1", "d1", "deploy"]);
  expect(
    releasePlan({ config: "c", databases: DATABASES, secretsFile: "s.json", lockFile: "lock.json" }).at(-1)
      ?.args,
  ).toContain("s.json");
});

test("a deployment logs no request URL, in logs or traces", () => {
  const state = carryOut(EMPTY, provisioningPlan(EMPTY, DATABASES));
  const config = productionConfig(CONFIG, state, DOMAIN);
  const settings = (table: string) =>
    config.split(/^\[/m).find((part) => part.startsWith(`${table}]\n`)) ?? "";
  expect(settings("observability")).toContain("\nredact_query_string = true\n");
  expect(settings("observability.logs")).toContain("\ninvocation_logs = false\n");
  expect(settings("observability.traces")).toContain("\nenabled = false\n");
});

test("a further ledger in the configuration is created where its region is, gets its id, and is migrated", () => {
  const further = `[[d1_databases]]
binding = "LEDGER_DE_2"
database_name = "holdfast-ledger-eu-2"
database_id = "00000000-0000-0000-0000-000000000006"
migrations_dir = "migrations/ledger"
`;
  const config = `${CONFIG}\n${further}`;
  const databases = databasesIn(config);
  const known = carryOut(EMPTY, provisioningPlan(EMPTY, DATABASES));
  const steps = provisioningPlan(known, databases);
  expect(steps.map(({ args }) => args)).toEqual([
    ["d1", "create", "holdfast-ledger-eu-2", "--jurisdiction", "eu"],
  ]);
  const state = carryOut(known, steps);
  expect(productionConfig(config, state, DOMAIN)).toContain('database_id = "id-of-holdfast-ledger-eu-2"');
  const release = releasePlan({ config: "c", databases, secretsFile: null, lockFile: "lock.json" });
  expect(release.map(({ what }) => what)).toContain("Migrate LEDGER_DE_2");
  const strayed = state.databases.map((each) =>
    each.name === "holdfast-ledger-eu-2" ? { ...each, jurisdiction: null } : each,
  );
  expect(() => provisioningPlan({ ...state, databases: strayed }, databases)).toThrow("holdfast-ledger-eu-2");
  const nowhere = databasesIn(config.replace("holdfast-ledger-eu-2", "holdfast-ledger-mars"));
  expect(() => provisioningPlan(EMPTY, nowhere)).toThrow("holdfast-ledger-mars");
});
