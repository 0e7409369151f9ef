import { readFileSync } from "node:fs";

const NAME = "databases";
const SCRIPT = new URL("./database-object.js", import.meta.url);

/** The Worker beside the tested one that holds its databases. It is not bundled, so calls do not load a module first. */
export function databaseWorker() {
  const databases = { className: "Database", scriptName: NAME, useSQLite: true };
  return {
    durableObjects: { DATABASES: databases },
    d1Databases: { LOCAL_D1: "local-d1" },
    workers: [
      {
        name: NAME,
        compatibilityDate: "2026-10-01",
        modules: [
          {
            type: "ESModule" as const,
            path: "database-object.js",
            contents: readFileSync(SCRIPT, "utf8"),
          },
        ],
        durableObjects: { SELF: { className: "Database", useSQLite: true } },
      },
    ],
  };
}
