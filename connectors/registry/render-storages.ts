import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { StorageDescriptor } from "#connectors/contract/storage-descriptor.ts";
import { camel } from "./camel.ts";

/** A storage's folder, and the prefix of its imports. */
type Folder = { folder: string; name: string };

/** The generated registry of storages, by file name. @throws Error when a folder and its descriptor disagree */
export async function renderStorages(root: string, header: string): Promise<Record<string, string>> {
  const folders = existsSync(root)
    ? readdirSync(root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];
  for (const folder of folders) {
    const file = pathToFileURL(join(root, folder, "descriptor.ts")).href;
    const { descriptor } = (await import(file)) as { descriptor: StorageDescriptor };
    if (descriptor.id.replaceAll("_", "-") !== folder)
      throw new Error(`The folder ${folder} describes a storage named ${descriptor.id}.`);
  }
  const all = folders.map((folder) => ({ folder, name: camel(folder) }));
  return {
    "storages.generated.ts": header + renderServer(all),
    "storage-descriptors.generated.ts": header + renderBrowser(all),
  };
}

function renderServer(all: readonly Folder[]): string {
  return [
    'import type { StorageConnector } from "#connectors/contract/storage-connector.ts";\n',
    ...all.map(
      ({ folder, name }) =>
        `import { configSchema as ${name}ConfigSchema } from "#connectors/storages/${folder}/authorize.ts";\n` +
        `import { connector as ${name}Connector } from "#connectors/storages/${folder}/connector.ts";\n`,
    ),
    'import type { ConfigSchema } from "./config-schema.ts";\n\n',
    "/** A storage as the engine and the doors know it. */\n",
    "export type Storage = { connector: StorageConnector; configSchema: ConfigSchema };\n\n",
    "/** Every storage, in order of its folder. Server code. */\n",
    "export const storages: readonly Storage[] = [\n",
    ...all.map(({ name }) => `  { connector: ${name}Connector, configSchema: ${name}ConfigSchema },\n`),
    "];\n",
  ].join("");
}

function renderBrowser(all: readonly Folder[]): string {
  return [
    'import type { StorageDescriptor, StorageUi } from "#connectors/contract/storage-descriptor.ts";\n',
    ...all.map(
      ({ folder, name }) =>
        `import { descriptor as ${name}Descriptor } from "#connectors/storages/${folder}/descriptor.ts";\n` +
        `import { ui as ${name}Ui } from "#connectors/storages/${folder}/ui.tsx";\n`,
    ),
    "\n/** Every storage's facts, in order of its folder. Safe for the browser. */\n",
    `export const storageDescriptors: readonly StorageDescriptor[] = [${all.map(({ name }) => `${name}Descriptor`).join(", ")}];\n\n`,
    "/** Marks by the id of the storage. */\n",
    `export const storageUis: Readonly<Record<string, StorageUi>> = { ${all.map(({ name }) => `[${name}Descriptor.id]: ${name}Ui`).join(", ")} };\n`,
  ].join("");
}
