/**
 * Writes the registries of platforms and storages from the folders of `connectors/`. Registries are generated because
 * the Worker's bundler does not expand `import.meta.glob`. With `--check` it writes nothing and exits with 1 when the
 * files are stale.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import { dialectOf, type EndpointTable } from "#connectors/contract/endpoints.ts";
import type { PlatformSetup } from "#connectors/contract/setup.ts";
import { camel } from "./camel.ts";
import { renderSetups, renderSimulators } from "./render-setups.ts";
import { renderStorages } from "./render-storages.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PLATFORMS = join(HERE, "../platforms");
const STORAGES = join(HERE, "../storages");
const HEADER =
  "// Written by connectors/registry/generate.ts; run `npm run generate` after adding a platform or a storage.\n\n";

const files = { ...(await renderRegistry(PLATFORMS)), ...(await renderStorages(STORAGES, HEADER)) };
const stale = Object.entries(files).filter(([name, text]) => readOrEmpty(join(HERE, name)) !== text);
if (process.argv.includes("--check")) {
  for (const [name] of stale) console.error(`${name} is stale: run npm run generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [name, text] of stale) writeFileSync(join(HERE, name), text);
}

async function renderRegistry(folder: string): Promise<Record<string, string>> {
  const ids = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map((entry) => entry.name)
    .sort();
  const paths: Record<string, ReturnType<typeof apiPathsOf>> = {};
  const setups: { id: string; setup: PlatformSetup }[] = [];
  for (const id of ids) {
    const { descriptor } = (await load(folder, id, "descriptor.ts")) as { descriptor: PlatformDescriptor };
    const { endpoints } = (await load(folder, id, "endpoints.ts")) as { endpoints: EndpointTable };
    if (descriptor.id !== id)
      throw new Error(`The folder ${id} describes a platform named ${descriptor.id}.`);
    paths[id] = apiPathsOf(descriptor, endpoints);
    if (!existsSync(join(folder, id, "setup.ts"))) continue;
    const { setup } = (await load(folder, id, "setup.ts")) as { setup: PlatformSetup };
    setups.push({ id, setup });
  }
  return {
    "platforms.generated.ts": renderPlatforms(ids),
    "host-apps.generated.ts": renderHostApps(ids.filter((id) => existsSync(join(folder, id, "host-app.ts")))),
    "descriptors.generated.ts": renderDescriptors(ids),
    "restore-words.generated.ts": renderRestoreWords(ids),
    "api-paths.generated.ts": renderApiPaths(paths),
    "setups.generated.ts": HEADER + renderSetups(setups),
    "simulators.generated.ts": HEADER + renderSimulators(setups),
  };
}

function load(folder: string, id: string, file: string): Promise<unknown> {
  return import(pathToFileURL(join(folder, id, file)).href);
}

/** Method, path and field names of an operation, as the browser needs them. */
type Address = {
  method: string;
  path: string;
  fields: Readonly<Record<string, string>>;
  answers?: Readonly<Record<string, string>>;
  sendsKind?: boolean;
};

/** A path without a kind serves every kind of the platform that has no path of its own. */
function apiPathsOf(descriptor: PlatformDescriptor, endpoints: EndpointTable) {
  const paths: Record<string, Record<string, Address>> = {};
  const routes = Object.entries(dialectOf(endpoints)).sort(
    ([, one], [, other]) => Number(one.kind === undefined) - Number(other.kind === undefined),
  );
  for (const [route, endpoint] of routes) {
    const [method = "", path = ""] = route.split(" ");
    const { does, kind: own, fields = {}, answers, lists } = endpoint;
    const kinds = own === undefined ? descriptor.itemKinds.map((kind) => kind.id) : [own];
    for (const kind of lists ? Object.keys(lists) : kinds) {
      paths[does] ??= {};
      paths[does]![kind] ??= {
        method,
        path: `/api/${descriptor.id}/${path}`,
        fields: lists ? { ...fields, itemIds: lists[kind] ?? "" } : fields,
        ...(answers ? { answers } : {}),
        ...(does === "back-up-all-now" && own === undefined ? { sendsKind: true } : {}),
      };
    }
  }
  return paths;
}

function renderPlatforms(ids: string[]): string {
  const identifier = camel;
  return [
    HEADER,
    'import type { EndpointTable } from "#connectors/contract/endpoints.ts";\n',
    'import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";\n',
    ...ids.map(
      (id) =>
        `import { configSchema as ${identifier(id)}ConfigSchema } from "#connectors/platforms/${id}/authorize.ts";\n` +
        `import { connector as ${identifier(id)}Connector } from "#connectors/platforms/${id}/connector.ts";\n` +
        `import { endpoints as ${identifier(id)}Endpoints } from "#connectors/platforms/${id}/endpoints.ts";\n`,
    ),
    'import type { ConfigSchema } from "./config-schema.ts";\n\n',
    "/** A platform as the engine and the doors know it. */\n",
    "export type Platform = { connector: PlatformConnector; endpoints: EndpointTable; configSchema: ConfigSchema };\n\n",
    "/** Every platform, in order of its id. Server code. */\n",
    "export const platforms: readonly Platform[] = [\n",
    ...ids.map((id) => {
      const name = identifier(id);
      return `  { connector: ${name}Connector, endpoints: ${name}Endpoints, configSchema: ${name}ConfigSchema },\n`;
    }),
    "];\n",
  ].join("");
}

/** Platforms inside which an app of ours shows our site. */
function renderHostApps(ids: string[]): string {
  return [
    HEADER,
    'import type { HostApp } from "#connectors/contract/host-app.ts";\n',
    ...ids.map(
      (id) => `import { hostApp as ${camel(id)} } from "#connectors/platforms/${id}/host-app.ts";\n`,
    ),
    "\n/** Our apps inside platforms. Server code. */\n",
    `export const hostApps: readonly HostApp[] = [${ids.map(camel).join(", ")}];\n`,
  ].join("");
}

function renderDescriptors(ids: string[]): string {
  return [
    HEADER,
    'import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";\n',
    'import type { PlatformUi } from "#connectors/contract/platform-ui.ts";\n',
    ...ids.map(
      (id) =>
        `import { descriptor as ${camel(id)}Descriptor } from "#connectors/platforms/${id}/descriptor.ts";\n` +
        `import { ui as ${camel(id)}Ui } from "#connectors/platforms/${id}/ui.tsx";\n`,
    ),
    "\n/** Every platform's facts, in order of its id. Safe for the browser. */\n",
    `export const descriptors: readonly PlatformDescriptor[] = [${ids.map((id) => `${camel(id)}Descriptor`).join(", ")}];\n\n`,
    "/** Marks by platform id. */\n",
    `export const uis: Readonly<Record<string, PlatformUi>> = { ${ids.map((id) => `${JSON.stringify(id)}: ${camel(id)}Ui`).join(", ")} };\n\n`,
  ].join("");
}

/** Separate from the logos, because the first load does not need them. */
function renderRestoreWords(ids: string[]): string {
  return [
    HEADER,
    'import type { RestoreWords } from "#connectors/contract/platform-ui.ts";\n',
    ...ids.map(
      (id) =>
        `import { restoreWords as ${camel(id)} } from "#connectors/platforms/${id}/restore-words.ts";\n`,
    ),
    "\n/** What people are told before they restore, by platform id. */\n",
    `export const restoreWords: Readonly<Record<string, RestoreWords>> = { ${ids.map((id) => `${JSON.stringify(id)}: ${camel(id)}`).join(", ")} };\n`,
  ].join("");
}

/** Separate from the descriptors, because the first load does not need them. */
function renderApiPaths(paths: Record<string, unknown>): string {
  return [
    HEADER,
    'import type { SharedOperation } from "#connectors/contract/endpoints.ts";\n\n',
    "/** Method and path of a shared operation, and what our fields and our names in its answer are called there. */\n",
    "export type ApiPath = {\n  method: string;\n  path: string;\n  fields: Readonly<Record<string, string>>;\n",
    "  answers?: Readonly<Record<string, string>>;\n  /** The path serves every kind and is told which one is meant. */\n  sendsKind?: boolean;\n};\n\n",
    "/** The addresses of the shared operations, by item kind. */\n",
    "export type ApiPaths = Partial<Record<SharedOperation, Record<string, ApiPath>>>;\n\n",
    "/** Where the public API answers, by platform id. */\n",
    `export const apiPaths: Readonly<Record<string, ApiPaths>> = ${JSON.stringify(paths, null, 2)};\n`,
  ].join("");
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
