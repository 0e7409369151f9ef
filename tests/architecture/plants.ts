/** One file of the planted tree: its imports, and the rule that must report it. Null when no rule may. */
export type Plant = { file: string; imports: string[]; caughtBy: string | null };

/**
 * A small source tree with one mistake for every rule of .dependency-cruiser.cjs, and beside each a similar file that
 * is allowed. `type:` marks a type-only import.
 */
export const PLANTS: Plant[] = [
  // Files that the others import.
  { file: "core/kernel/clock.ts", imports: [], caughtBy: null },
  { file: "core/vault/index.ts", imports: ["#core/kernel/clock.ts"], caughtBy: null },
  { file: "core/vault/seal.ts", imports: [], caughtBy: null },
  { file: "core/live/events.schema.ts", imports: [], caughtBy: null },
  { file: "core/billing/index.ts", imports: [], caughtBy: null },
  { file: "core/billing/plans.ts", imports: [], caughtBy: null },
  { file: "core/database/tables.ts", imports: ["drizzle-orm"], caughtBy: null },
  { file: "connectors/contract/descriptor.ts", imports: [], caughtBy: null },
  { file: "connectors/toolkit/http.ts", imports: ["#core/kernel/clock.ts"], caughtBy: null },
  { file: "connectors/platforms/alpha/client.ts", imports: ["#connectors/toolkit/http.ts"], caughtBy: null },
  {
    file: "connectors/platforms/alpha/descriptor.ts",
    imports: ["#connectors/contract/descriptor.ts"],
    caughtBy: null,
  },
  { file: "connectors/platforms/alpha/simulator/server.ts", imports: [], caughtBy: null },
  {
    file: "tests/harness/helper.ts",
    imports: ["#connectors/platforms/alpha/simulator/server.ts"],
    caughtBy: null,
  },
  { file: "workers/commands/start.ts", imports: [], caughtBy: null },
  {
    file: "connectors/registry/platforms.generated.ts",
    imports: ["#connectors/platforms/alpha/client.ts"],
    caughtBy: null,
  },
  { file: "durable-objects/stubs.ts", imports: [], caughtBy: null },
  {
    file: "workers/services.ts",
    imports: ["#core/database/tables.ts", "#connectors/registry/platforms.generated.ts"],
    caughtBy: null,
  },

  // One mistake per rule, and an allowed counterpart.
  { file: "core/backups/egg.ts", imports: ["#core/backups/hen.ts"], caughtBy: "no-cycles" },
  { file: "core/backups/hen.ts", imports: ["#core/backups/egg.ts"], caughtBy: null },
  { file: "core/backups/shape-a.ts", imports: ["type:#core/backups/shape-b.ts"], caughtBy: "no-cycles" },
  { file: "core/backups/shape-b.ts", imports: ["type:#core/backups/shape-a.ts"], caughtBy: null },
  { file: "core/kernel/curious.ts", imports: ["#core/billing/index.ts"], caughtBy: "kernel-is-the-floor" },
  { file: "core/vault/clever.ts", imports: ["#core/billing/index.ts"], caughtBy: "vault-stores-bytes-only" },
  {
    file: "core/backups/partial.ts",
    imports: ["#connectors/platforms/alpha/client.ts"],
    caughtBy: "core-looks-down",
  },
  {
    file: "core/backups/fair.ts",
    imports: ["#connectors/contract/descriptor.ts", "#core/vault/index.ts"],
    caughtBy: null,
  },
  {
    file: "core/backups/burglar.ts",
    imports: ["#core/billing/plans.ts"],
    caughtBy: "areas-have-front-doors",
  },
  {
    file: "core/backups/guest.ts",
    imports: ["#core/billing/index.ts", "#core/live/events.schema.ts"],
    caughtBy: null,
  },
  { file: "core/billing/billing.store.ts", imports: ["drizzle-orm"], caughtBy: null },
  {
    file: "app/routes/home/shortcut.server.ts",
    imports: ["#core/billing/billing.store.ts"],
    caughtBy: "doors-use-front-doors",
  },
  {
    file: "workers/api/routes/backdoor.ts",
    imports: ["#core/billing/plans.ts"],
    caughtBy: "doors-use-front-doors",
  },
  {
    file: "workers/api/routes/lawful.ts",
    imports: ["#core/billing/index.ts", "#core/live/events.schema.ts", "#durable-objects/stubs.ts"],
    caughtBy: null,
  },
  {
    file: "core/database/upstart.ts",
    imports: ["#core/billing/index.ts"],
    caughtBy: "database-knows-no-area",
  },
  { file: "core/billing/page.ts", imports: ["react"], caughtBy: "rules-know-no-framework" },
  { file: "core/billing/server.ts", imports: ["hono"], caughtBy: "rules-know-no-framework" },
  { file: "core/mail/letter.ts", imports: ["react"], caughtBy: null },
  { file: "connectors/platforms/alpha/ui.tsx", imports: ["react"], caughtBy: null },
  {
    file: "connectors/platforms/beta/copycat.ts",
    imports: ["#connectors/platforms/alpha/client.ts"],
    caughtBy: "connectors-are-strangers",
  },
  {
    file: "connectors/platforms/beta/insider.ts",
    imports: ["#core/billing/index.ts"],
    caughtBy: "connectors-know-no-product",
  },
  {
    file: "connectors/registry/insider.ts",
    imports: ["#core/billing/index.ts"],
    caughtBy: "connectors-know-no-product",
  },
  {
    file: "connectors/toolkit/favourite.ts",
    imports: ["#connectors/platforms/alpha/client.ts"],
    caughtBy: "contract-and-toolkit-look-down",
  },
  {
    file: "connectors/platforms/beta/descriptor.ts",
    imports: ["#connectors/platforms/beta/copycat.ts"],
    caughtBy: "browser-safe-stays-safe",
  },
  {
    file: "app/routes/home/route.tsx",
    imports: ["#core/billing/index.ts"],
    caughtBy: "screens-reach-the-server-through-server-files",
  },
  { file: "app/routes/home/queries.server.ts", imports: ["#core/billing/index.ts"], caughtBy: null },
  {
    file: "app/routes/home/part.tsx",
    imports: [
      "type:#core/billing/index.ts",
      "#core/live/events.schema.ts",
      "#connectors/platforms/alpha/descriptor.ts",
    ],
    caughtBy: null,
  },
  {
    file: "app/routes/home/actor.server.ts",
    imports: ["#durable-objects/stubs.ts"],
    caughtBy: "screens-know-no-doors",
  },
  {
    file: "app/routes/home/door.server.ts",
    imports: ["#workers/api/routes/lawful.ts"],
    caughtBy: "screens-know-no-doors",
  },
  {
    file: "workers/api/routes/painter.ts",
    imports: ["#app/routes/home/part.tsx"],
    caughtBy: "doors-know-no-screens",
  },
  {
    file: "app/routes/home/favourite.server.ts",
    imports: ["#connectors/platforms/alpha/client.ts"],
    caughtBy: "only-the-wiring-knows-connectors",
  },
  {
    file: "workers/api/routes/favourite.ts",
    imports: ["#connectors/registry/platforms.generated.ts"],
    caughtBy: "only-the-wiring-knows-connectors",
  },
  {
    file: "workers/api/routes/shortcut.ts",
    imports: ["#core/database/tables.ts"],
    caughtBy: "doors-do-not-query",
  },
  { file: "core/billing/handmade.ts", imports: ["drizzle-orm"], caughtBy: "sql-lives-in-stores" },
  { file: "durable-objects/own.store.ts", imports: ["drizzle-orm"], caughtBy: "sql-lives-in-stores" },
  {
    file: "durable-objects/busybody.ts",
    imports: ["#core/billing/index.ts"],
    caughtBy: "objects-call-nobody",
  },
  { file: "durable-objects/modest.ts", imports: ["#core/live/events.schema.ts"], caughtBy: null },
  { file: "workers/app.ts", imports: ["#workers/commands/start.ts"], caughtBy: "commands-stay-on-the-desk" },
  {
    file: "workers/cheat.ts",
    imports: ["#connectors/platforms/alpha/simulator/server.ts"],
    caughtBy: "no-simulators-in-production",
  },
  { file: "core/billing/test-bench.ts", imports: ["#tests/harness/helper.ts"], caughtBy: null },
  {
    file: "core/billing/laundered.ts",
    imports: ["#core/billing/test-bench.ts"],
    caughtBy: "no-simulators-in-production",
  },
  // The payment provider's SDK.
  { file: "connectors/payments/alpha/client.ts", imports: ["stripe"], caughtBy: null },
  {
    file: "connectors/toolkit/charge.ts",
    imports: ["stripe"],
    caughtBy: "one-folder-knows-the-payment-sdk",
  },
];
