import { z } from "zod";
import type { DeployedState } from "./deployment-plan.ts";
import type { ToolResult } from "./tools.ts";

/** Runs wrangler with these arguments until it exits. */
export type Wrangler = (args: string[]) => Promise<ToolResult>;

const databaseRows = z.array(
  z.object({ name: z.string(), uuid: z.string(), jurisdiction: z.string().nullish() }),
);
const secretRows = z.array(z.object({ name: z.string() }));

/** wrangler's error before the first deployment, when there is no Worker that could have secrets. */
const NO_WORKER = /Worker "holdfast"[^\n]* not found|\[code: 10007\]/;

/**
 * Reads the account's resources. Unreadable lists are errors and never count as empty: a plan from a partial view would
 * give the Worker new keys.
 * @throws Error with wrangler's output
 */
export async function readAccount(wrangler: Wrangler): Promise<DeployedState> {
  const ask = async (args: string[]) => {
    const { code, output } = await wrangler(args);
    if (code !== 0) throw new Error(`wrangler ${args.join(" ")} failed:\n${output}`);
    return output;
  };
  const databases = databaseRows.parse(jsonIn(await ask(["d1", "list", "--json"])));
  const buckets: DeployedState["buckets"] = [];
  for (const jurisdiction of [null, "eu", "us"]) {
    const within = jurisdiction === null ? [] : ["--jurisdiction", jurisdiction];
    const text = await ask(["r2", "bucket", "list", ...within]);
    for (const [, name = ""] of text.matchAll(/^name:\s+(\S+)/gm)) buckets.push({ name, jurisdiction });
  }
  const queues = await ask(["queues", "list"]);
  return {
    databases: databases.map(({ name, uuid, jurisdiction }) => ({
      name,
      id: uuid,
      jurisdiction: jurisdiction ?? null,
    })),
    buckets,
    queues: queues.split(/[│|\n]/).map((cell) => cell.trim()),
    secrets: await readSecrets(wrangler),
  };
}

async function readSecrets(wrangler: Wrangler): Promise<string[]> {
  const { code, output } = await wrangler(["secret", "list", "--name", "holdfast", "--format", "json"]);
  if (code === 0) return secretRows.parse(jsonIn(output)).map(({ name }) => name);
  if (NO_WORKER.test(output)) return [];
  throw new Error(`The secrets of the Worker could not be listed:\n${output}`);
}

/** The JSON array in wrangler's output, which may contain notices around it. */
function jsonIn(output: string): unknown {
  return JSON.parse(output.slice(output.search(/^\[/m), output.lastIndexOf("]") + 1));
}
