import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { startSimulator as startStripe } from "#connectors/payments/stripe/simulator/index.ts";
import { type ForgeHost, startForgeHost } from "#connectors/platforms/jira/simulator/forge-host.ts";
import { FIXED_PORTS } from "#connectors/registry/ports.ts";
import { setups } from "#connectors/registry/setups.generated.ts";
import { simulators as platformSimulators } from "#connectors/registry/simulators.generated.ts";
import type { RunningSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";
import type { SimulatorServer } from "#connectors/toolkit/simulator/simulator-server.ts";
import type { OutsideWorld } from "#workers/commands/simulated-vars.ts";
import { startMailSimulator } from "./mail/mail-simulator.ts";
import { type OidcSimulator, startOidcSimulator } from "./oidc/oidc-simulator.ts";
import { OIDC_DOMAINS, OIDC_PROVIDERS } from "./oidc/people.ts";
import { type StorageSimulators, startStorageSimulators, storageVars } from "./storages.ts";

/** The simulated outside world of the demo and the tests. */
export type Simulators = {
  /** By platform id. */
  platforms: Readonly<Record<string, RunningSimulator>>;
  mail: SimulatorServer;
  oidc: OidcSimulator;
  storages: StorageSimulators;
  stripe: RunningSimulator;
  /** Null on free ports: it shows the product, and nobody knows where that is. */
  forge: ForgeHost | null;
  stop(): Promise<void>;
};

/** Options for starting the simulators. */
export type SimulatorsOptions = {
  /** The first port, as `workers/commands/ports.ts` lists them after the product's. 0 = any free ports. */
  port?: number;
  /** Keeps all data across restarts. */
  dir?: string;
  /** `people` omits the platforms' items, which starts faster. */
  seed?: "demo" | "people";
  /** Folder of extra bare repositories `OWNER/NAME.git`. */
  gitRoot?: string;
};

/** Starts every simulator. */
export async function startSimulators(options: SimulatorsOptions = {}): Promise<Simulators> {
  const { port: first = 0, dir, seed, gitRoot } = options;
  const portOf = ({ offset }: { offset: number }) => (first === 0 ? 0 : first - 1 + offset);
  const below = (name: string) => (dir === undefined ? undefined : path.join(dir, name));
  const platforms: Record<string, RunningSimulator> = {};
  for (const [id, start] of Object.entries(platformSimulators)) {
    const simulator = setups[id]?.simulator;
    if (!simulator) throw new Error(`${id} has a simulator, and no port for it.`);
    platforms[id] = await start({ port: portOf(simulator), directory: below(id), seed, gitRoot });
  }
  const mail = await startMailSimulator({ port: portOf(FIXED_PORTS.mail), directory: below("mail") });
  const oidc = await startOidcSimulator({ port: portOf(FIXED_PORTS.oidc), directory: below("oidc") });
  const storages = await startStorageSimulators({ port: portOf(FIXED_PORTS.storages), dir });
  const stripe = await startStripe({
    port: portOf(FIXED_PORTS.payments),
    directory: below("stripe"),
    // The product has the port before the simulators'. On free ports nobody knows where it is.
    ...(first === 0 ? {} : { webhookUrl: `http://localhost:${first - 1}/api/payments/stripe-webhook` }),
  });
  const forge =
    first === 0
      ? null
      : await startForgeHost({
          port: portOf(FIXED_PORTS.hosts),
          productUrl: `http://localhost:${first - 1}`,
          jiraUrl: platforms.jira?.url ?? "",
          // Bundling takes a second, and few look at the page.
          files: async (order) => (await import("#workers/commands/forge-app.ts")).forgeAppFiles(order),
        });
  return {
    platforms,
    mail,
    oidc,
    storages,
    stripe,
    forge,
    async stop() {
      const all = [...Object.values(platforms), mail, oidc, stripe, ...Object.values(storages)];
      if (forge) await forge.stop();
      await Promise.all(all.map((simulator) => simulator.stop()));
    },
  };
}

/** The settings that point the product at the simulated identity providers. */
export function signInVars({ issuers, clients }: OidcSimulator): Record<string, string> {
  const vars = OIDC_PROVIDERS.flatMap((name) => [
    [`${name.toUpperCase()}_ISSUER`, issuers[name]],
    [`${name.toUpperCase()}_CLIENT_ID`, clients[name].clientId],
    [`${name.toUpperCase()}_CLIENT_SECRET`, clients[name].clientSecret],
  ]);
  return {
    ...Object.fromEntries(vars),
    ENTERPRISE_DOMAIN: OIDC_DOMAINS.enterprise,
    OKTA_DOMAIN: OIDC_DOMAINS.okta,
  };
}

/** Every service that can be simulated, with the settings that point the product at it. */
function varsOfServices(simulators: Simulators): OutsideWorld["services"] {
  const signIn = Object.entries(signInVars(simulators.oidc));
  const providers = OIDC_PROVIDERS.map((provider) => [
    provider,
    Object.fromEntries(signIn.filter(([name]) => name.startsWith(`${provider.toUpperCase()}_`))),
  ]);
  return {
    ...Object.fromEntries(Object.entries(simulators.platforms).map(([id, { vars }]) => [id, vars])),
    ...Object.fromEntries(providers),
    ...storageVars(simulators.storages),
    stripe: simulators.stripe.vars,
    ...(simulators.forge ? { forge: simulators.forge.vars } : {}),
  };
}

/** `tsx tests/simulators/serve.ts --dir FOLDER --port 8788`: prints its addresses as JSON and runs until SIGTERM. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dir: { type: "string" },
      port: { type: "string", default: "8788" },
      seed: { type: "string", default: "demo" },
      "git-root": { type: "string", default: process.env.SIM_GIT_ROOT },
    },
  });
  const simulators = await startSimulators({
    dir: values.dir,
    port: Number(values.port),
    seed: values.seed === "people" ? "people" : "demo",
    gitRoot: values["git-root"],
  });
  const addresses: OutsideWorld = { mailUrl: simulators.mail.url, services: varsOfServices(simulators) };
  process.stdout.write(`${JSON.stringify(addresses)}\n`);
  const stop = () => void simulators.stop().then(() => process.exit(0));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
