import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./tools.ts";

/** The configuration of a deployment of which these bindings are used where they are, instead of local ones. */
export function remoteConfig(deployed: string, bindings: readonly string[]): string {
  return deployed.replace(new RegExp(`^binding = "(${bindings.join("|")})"$`, "gm"), "$&\nremote = true");
}

/** Writes it, for a command of that name, and returns its path. @throws Error when nothing was deployed from here */
export function writeRemoteConfig(command: string, bindings: readonly string[]): string {
  const deployed = join(ROOT, "wrangler.production.toml");
  if (!existsSync(deployed)) throw new Error("Nothing was deployed from this folder: npm run deploy");
  const folder = join(ROOT, ".cache");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${command}.toml`);
  writeFileSync(path, remoteConfig(readFileSync(deployed, "utf8"), bindings));
  return path;
}
