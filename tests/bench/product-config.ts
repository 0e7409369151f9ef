import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "#workers/commands/tools.ts";

/**
 * The product's own bindings with a bench's entry point. Without `hasConsumers` no jobs run during the measurement.
 * Crons never run.
 */
export function productConfig(entrance: string, { hasConsumers = false } = {}): string {
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8")
    .replace(/^main = .*$/m, `main = "${join(ROOT, "tests/bench", entrance)}"`)
    .replace(/^directory = .*$/m, `directory = "${join(ROOT, "build/client")}"`)
    .replaceAll(/^migrations_dir = .*\n/gm, "");
  return hasConsumers ? config : config.replaceAll(/^\[\[queues\.consumers\]\]\n(?:.+\n)*/gm, "");
}
