/**
 * Who may import whom. ARCHITECTURE.md draws this picture; this file is the one that is obeyed, and
 * tests/architecture plants one mistake for every rule to see it caught.
 */
const CONNECTOR = "^connectors/(platforms|storages)/([^/]+)/";
const BROWSER_SAFE = "/(descriptor\\.ts|ui\\.tsx|restore-words\\.ts|guide\\.ts|endpoints\\.ts)$";
const PRODUCT = "^(app|workers|durable-objects|core/(?!kernel/))";
/** Tests, and the files `test-*.ts` that only they use. */
const TEST = "\\.test\\.tsx?$|/test-[^/]+\\.ts$|-world\\.ts$";
/** Plain facts of the kernel that a screen may know. */
const FACTS = "^core/kernel/(platform-id|clock|page|error-codes)\\.ts$";
const SIMULATOR = "/simulator(/|\\.ts$)";

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    rule(
      "no-cycles",
      "Two files that need each other are one file, or miss a third.",
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    ),
    rule(
      "kernel-is-the-floor",
      "The kernel imports nothing of ours.",
      { path: "^core/kernel/", pathNot: TEST },
      { path: `${PRODUCT}|^connectors/|^tests/` },
    ),
    rule(
      "vault-stores-bytes-only",
      "The vault knows no plan, user or platform.",
      { path: "^core/vault/", pathNot: TEST },
      {
        path: "^(app|workers|durable-objects|connectors|core/(?!kernel/|vault/))",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "core-looks-down",
      "The rules never import doors, screens, objects, or one particular connector.",
      { path: "^core/", pathNot: TEST },
      { path: "^(app|workers|durable-objects|tests|connectors/(?!contract/|toolkit/))" },
    ),
    rule(
      "areas-have-front-doors",
      "One area of the rules enters another through its index or a schema.",
      { path: "^core/([^/]+)/", pathNot: TEST },
      {
        path: "^core/(?!kernel/|database/)[^/]+/",
        pathNot: "^core/$1/|/index\\.ts$|\\.schema\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "connectors-are-strangers",
      "A connector never sees its siblings.",
      { path: CONNECTOR },
      { path: "^connectors/(platforms|storages)/", pathNot: "^connectors/$1/$2/" },
    ),
    rule(
      "connectors-know-no-product",
      "A connector sees contract, toolkit and kernel; never a table, a plan or a screen.",
      { path: CONNECTOR, pathNot: `/ui\\.tsx$|${TEST}` },
      { path: PRODUCT },
    ),
    rule(
      "contract-and-toolkit-look-down",
      "What all connectors share knows none of them and nothing of the product.",
      { path: "^connectors/(contract|toolkit)/", pathNot: TEST },
      { path: `${PRODUCT}|^connectors/(platforms|storages|registry)/` },
    ),
    rule(
      "browser-safe-stays-safe",
      "What the browser loads of a connector imports only what the browser may load.",
      { path: `^connectors/.+${BROWSER_SAFE}` },
      {
        path: "^(connectors|core|workers|durable-objects|app)/",
        pathNot: `${BROWSER_SAFE}|^connectors/contract/|^app/components/`,
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "screens-reach-the-server-through-server-files",
      "A screen reaches rules only in *.server files; types, schemas and browser-safe files are free.",
      { path: "^app/", pathNot: `\\.server\\.tsx?$|^app/entry\\.server\\.tsx$|${TEST}` },
      {
        path: "^(core|workers|durable-objects|connectors)/",
        pathNot: `\\.schema\\.ts$|${BROWSER_SAFE}|${FACTS}|/(descriptors|restore-words|api-paths|storage-descriptors)\\.generated\\.ts$`,
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "doors-do-not-query",
      "Doors and screens ask the rules; only the wiring touches a database.",
      { path: "^(workers|app)/", pathNot: `^workers/services\\.ts$|${TEST}` },
      { path: "^core/database/", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "sql-lives-in-stores",
      "Only *.store files speak SQL.",
      {
        path: "^(app|workers|durable-objects|core|connectors)/",
        pathNot: `\\.store\\.ts$|^core/database/|${TEST}`,
      },
      { path: "(^|/)drizzle-orm", pathNot: "drizzle-adapter", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "objects-call-nobody",
      "A Durable Object keeps one state; it knows the kernel, live events and itself.",
      { path: "^durable-objects/", pathNot: TEST },
      { path: "^(app|workers|connectors|core/(?!kernel/|live/))" },
    ),
    rule(
      "commands-stay-on-the-desk",
      "The maintainers' commands run in Node and never become part of the Worker.",
      { pathNot: "^workers/commands/|^tests/" },
      { path: "^workers/commands/" },
    ),
    rule(
      "no-simulators-in-production",
      "Only tests and simulators know that the outside world can be simulated.",
      { pathNot: `^tests/|${TEST}|${SIMULATOR}` },
      { path: `^tests/|${SIMULATOR}` },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(build|node_modules/\\.)" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default"] },
  },
};
