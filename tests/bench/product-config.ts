import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "#workers/commands/tools.ts";

/** The product's own bindings with a bench's entrance, and nothing that runs beside what is measured. */
export function productConfig(entrance: string): string {
  return readFileSync(join(ROOT, "wrangler.toml"), "utf8")
    .replace(/^main = .*$/m, `main = "${join(ROOT, "tests/bench", entrance)}"`)
    .replace(/^directory = .*$/m, `directory = "${join(ROOT, "build/client")}"`)
    .replaceAll(/^\[\[queues\.consumers\]\]\n(?:.+\n)*/gm, "")
    .replaceAll(/^migrations_dir = .*\n/gm, "");
}
