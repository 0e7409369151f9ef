import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildScreens } from "#workers/commands/screens-build.ts";
import { ROOT } from "#workers/commands/tools.ts";
import type { Ground } from "./bench.ts";
import { bundleWorker } from "./runtime.ts";

/**
 * Bundles the whole product with its screens and a bench's entry point. Returns the ground whose runtimes run it. Without
 * `hasConsumers` no jobs run during the measurement. Crons never run.
 */
export async function bundleProduct(
  ground: Ground,
  entrance: string,
  { hasConsumers = false } = {},
): Promise<Ground> {
  await buildScreens();
  const config = join(ground.folder, "product.toml");
  writeFileSync(config, productConfig(entrance, hasConsumers));
  await bundleWorker(ground.folder, config);
  return { ...ground, bundled: ground.folder };
}

/** The product's own bindings with a bench's entry point. */
function productConfig(entrance: string, hasConsumers: boolean): string {
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8")
    .replace(/^main = .*$/m, `main = "${join(ROOT, "tests/bench", entrance)}"`)
    .replace(/^directory = .*$/m, `directory = "${join(ROOT, "build/client")}"`)
    .replaceAll(/^migrations_dir = .*\n/gm, "");
  return hasConsumers ? config : config.replaceAll(/^\[\[queues\.consumers\]\]\n(?:.+\n)*/gm, "");
}
