import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { apiPaths } from "./api-paths.generated.ts";
import { descriptors, uis } from "./descriptors.generated.ts";
import { platforms } from "./platforms.generated.ts";
import { storageDescriptors, storageUis } from "./storage-descriptors.generated.ts";
import { storages } from "./storages.generated.ts";

const HERE = dirname(fileURLToPath(import.meta.url));

test("the registry has exactly the platforms' folders", () => {
  const folders = readdirSync(join(HERE, "../platforms")).filter((name) => !name.startsWith("_"));
  expect(descriptors.map(({ id }) => id)).toEqual(folders.sort());
  expect(platforms.map(({ connector }) => connector.descriptor.id)).toEqual(folders.sort());
  expect(Object.keys(uis)).toEqual(folders.sort());
});

test("the registry has every storage's folder, under its id without hyphens", () => {
  const folders = readdirSync(join(HERE, "../storages")).sort();
  const tags = folders.map((name) => name.replaceAll("-", "_"));
  expect(storageDescriptors.map(({ id }) => id)).toEqual(tags);
  expect(storages.map(({ connector }) => connector.descriptor.id)).toEqual(tags);
  expect(Object.keys(storageUis)).toEqual(tags);
  for (const { connector } of storages) {
    expect(connector.authoriser.by).toBe(connector.descriptor.connects.by);
  }
});

test("the registry is up to date", () => {
  const tsx = join(HERE, "../../node_modules/tsx/dist/cli.mjs");
  const check = spawnSync(process.execPath, [tsx, join(HERE, "generate.ts"), "--check"], {
    encoding: "utf8",
  });
  expect(check.stderr).not.toContain("is stale");
  expect(check.status).toBe(0);
});

test("every kind of item has a path for the operations that screens use", () => {
  for (const { id, itemKinds } of descriptors) {
    for (const operation of [
      "list-connections",
      "list-available-items",
      "list-items",
      "add-items",
      "delete-items",
      "back-up-now",
      "restore-items",
      "back-up-all-now",
      "request-zip",
      "set-daily-backup",
    ] as const) {
      for (const kind of itemKinds) {
        expect(apiPaths[id]?.[operation]?.[kind.id]?.path, `${id} ${operation}`).toMatch(
          new RegExp(`^/api/${id}/[a-z-]+$`),
        );
      }
    }
  }
});

test("browser modules import no server code", () => {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, target = ""] of readFileSync(file, "utf8").matchAll(
      /^import (?!type ).*from "([^"]+)";$/gm,
    )) {
      if (target.startsWith("#connectors/")) visit(join(HERE, "..", target.slice("#connectors/".length)));
      else if (target.startsWith(".")) visit(join(dirname(file), target));
      else expect(target, `${file} imports it`).toBe("react");
    }
  };
  visit(join(HERE, "descriptors.generated.ts"));
  expect([...seen].filter((file) => file.endsWith("restore-words.ts"))).toEqual([]);
  visit(join(HERE, "restore-words.generated.ts"));
  const names = [...seen].map((file) => file.slice(file.lastIndexOf("/") + 1));
  expect(names).toContain("ui.tsx");
  expect(names).not.toContain("client.ts");
});
