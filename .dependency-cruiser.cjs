/**
 * The import rules. ARCHITECTURE.md draws them; this file enforces them. tests/architecture plants one mistake per rule
 * to check that the rule catches it.
 */
const CONNECTOR = "^connectors/(platforms|storages|payments)/([^/]+)/";
const BROWSER_SAFE =
  "/(descriptor\\.ts|logo\\.ts|ui\\.tsx|restore-words\\.ts|guide\\.ts|endpoints\\.ts|table-groups\\.ts|part-path\\.ts)$";
const PRODUCT = "^(app|workers|durable-objects|core/(?!kernel/))";
/** Tests, and helper files that only tests use. */
const TEST = "\\.test\\.tsx?$|/test-[^/]+\\.ts$|-world\\.ts$";
/** Kernel facts that screens may import. */
const FACTS = "^core/kernel/(platform-id|clock|page|error-codes|csv|field-words)\\.ts$";
const SIMULATOR = "/simulator(/|\\.ts$)|^connectors/registry/simulators\\.generated\\.ts$";
/** Frameworks for pages and HTTP. Only app and workers may use them. */
const FRAMEWORK = "(^|/)(react|react-dom|hono|@hono/[^/]+|@remix-run/[^/]+)(/|$)";
/** The parts of the connector registry that screens may read. */
const SCREEN_FACTS = "/(descriptors|restore-words|api-paths|storage-descriptors)\\.generated\\.ts$";

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    rule(
      "no-cycles",
      "No import cycles: merge the files, or extract what both need.",
      {},
      { circular: true },
    ),
    rule(
      "kernel-is-the-floor",
      "The kernel imports no other folder.",
      { path: "^core/kernel/", pathNot: TEST },
      { path: `${PRODUCT}|^connectors/|^tests/` },
    ),
    rule(
      "vault-stores-bytes-only",
      "The vault does not depend on plans, users or platforms.",
      { path: "^core/vault/", pathNot: TEST },
      {
        path: "^(app|workers|durable-objects|connectors|core/(?!kernel/|vault/))",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "core-looks-down",
      "`core/` never imports entry points, screens, Durable Objects, or a particular connector.",
      { path: "^core/", pathNot: TEST },
      { path: "^(app|workers|durable-objects|tests|connectors/(?!contract/|toolkit/))" },
    ),
    rule(
      "areas-have-front-doors",
      "An area of `core/` imports another only through its index or a schema.",
      { path: "^core/([^/]+)/", pathNot: TEST },
      {
        path: "^core/(?!kernel/|database/)[^/]+/",
        pathNot: "^core/$1/|/index\\.ts$|\\.schema\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "doors-use-front-doors",
      "Entry points and screens import an area of `core/` only through its index or a schema.",
      { path: "^(app|workers)/", pathNot: `^workers/commands/|${TEST}` },
      {
        path: "^core/(?!kernel/|database/)[^/]+/",
        pathNot: "/index\\.ts$|\\.schema\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "database-knows-no-area",
      "The data model serves every area and depends on none.",
      { path: "^core/database/", pathNot: TEST },
      { path: "^core/(?!kernel/|database/)[^/]+/", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "rules-know-no-framework",
      "Only entry points and screens use HTTP frameworks or React, except e-mails and a connector's browser code.",
      { path: "^(core|connectors|durable-objects)/", pathNot: `^core/mail/|/ui\\.tsx$|${SIMULATOR}|${TEST}` },
      { path: FRAMEWORK, dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "connectors-are-strangers",
      "A connector never imports another connector.",
      { path: CONNECTOR },
      { path: "^connectors/(platforms|storages|payments)/", pathNot: "^connectors/$1/$2/" },
    ),
    rule(
      "connectors-know-no-product",
      "A connector imports contract, toolkit and kernel; never a table, a plan or a screen.",
      { path: "^connectors/", pathNot: `/ui\\.tsx$|${TEST}` },
      { path: PRODUCT },
    ),
    rule(
      "one-folder-knows-the-payment-sdk",
      "Only the payment provider's folder and its simulator import its SDK.",
      { pathNot: `^connectors/payments/|${TEST}` },
      { path: "(^|/)stripe(/(esm|cjs)/|$)" },
    ),
    rule(
      "contract-and-toolkit-look-down",
      "Contract and toolkit depend neither on a connector nor on the product.",
      { path: "^connectors/(contract|toolkit)/", pathNot: TEST },
      { path: `${PRODUCT}|^connectors/(platforms|storages|payments|registry)/` },
    ),
    rule(
      "browser-safe-stays-safe",
      "A connector's browser modules import only browser-safe modules.",
      { path: `^connectors/.+${BROWSER_SAFE}` },
      {
        path: "^(connectors|core|workers|durable-objects|app)/",
        pathNot: `${BROWSER_SAFE}|^connectors/contract/|^app/components/`,
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "screens-reach-the-server-through-server-files",
      "A screen imports `core/` only in *.server files; types, schemas and browser-safe files are allowed everywhere.",
      { path: "^app/", pathNot: `\\.server\\.tsx?$|^app/entry\\.server\\.tsx$|${TEST}` },
      {
        path: "^(core|workers|durable-objects|connectors)/",
        pathNot: `\\.schema\\.ts$|${BROWSER_SAFE}|${FACTS}|${SCREEN_FACTS}`,
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "screens-know-no-doors",
      "A screen calls `core/`, never an entry point or a Durable Object.",
      { path: "^app/", pathNot: TEST },
      { path: "^(workers|durable-objects)/", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "doors-know-no-screens",
      "Entry points load the built screens and never import one.",
      { path: "^(workers|durable-objects)/", pathNot: TEST },
      { path: "^app/" },
    ),
    rule(
      "only-the-wiring-knows-connectors",
      "Only the wiring imports the registry; others use the contract and browser-safe modules.",
      { path: "^(app|workers)/", pathNot: `^workers/(services|http)\\.ts$|^workers/commands/|${TEST}` },
      {
        path: "^connectors/(?!contract/)",
        pathNot: `${BROWSER_SAFE}|${SCREEN_FACTS}`,
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "doors-do-not-query",
      "Entry points and screens call `core/`; only the wiring opens a database, and the commands that check, move or rebuild one.",
      {
        path: "^(workers|app)/",
        pathNot: `^workers/(services|commands/(check-audit|move-organisation|rebuild-ledger))\\.ts$|${TEST}`,
      },
      { path: "^core/database/", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "sql-lives-in-stores",
      "Only *.store files of `core/` contain SQL.",
      {
        path: "^(app|workers|durable-objects|core|connectors)/",
        pathNot: `^core/.+\\.store\\.ts$|^core/database/|${TEST}`,
      },
      { path: "(^|/)drizzle-orm", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "objects-call-nobody",
      "A Durable Object keeps one state; it imports the kernel, live events and its own files.",
      { path: "^durable-objects/", pathNot: TEST },
      { path: "^(app|workers|connectors|core/(?!kernel/|live/))" },
    ),
    rule(
      "commands-stay-on-the-desk",
      "The maintainers' commands run in Node and never become part of the Worker.",
      { pathNot: "^workers/commands/|^tests/|^playwright[.]config[.]ts$|\\.test\\.tsx?$" },
      { path: "^workers/commands/" },
    ),
    rule(
      "no-simulators-in-production",
      "Only tests and simulators import simulators and their helpers.",
      { pathNot: `^tests/|^(vitest|playwright)[.]config[.]ts$|${TEST}|${SIMULATOR}` },
      { path: `^tests/|${SIMULATOR}|${TEST}` },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    // No `tsConfig`: package.json resolves our imports, and the plugin for paths of tsconfig.json costs time for each one.
    skipAnalysisNotInRules: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(build|node_modules/\\.)" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "default"],
      // Longer than a run: after the default of four seconds each package.json is read again.
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
  },
};
