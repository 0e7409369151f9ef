import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import {
  type GithubSimulator,
  startGithubSimulator,
} from "#connectors/platforms/github/simulator/github-simulator.ts";
import type { GithubSettings } from "#connectors/platforms/github/simulator/state.ts";
import {
  type GitlabSimulator,
  startGitlabSimulator,
} from "#connectors/platforms/gitlab/simulator/gitlab-simulator.ts";
import type { GitlabSettings } from "#connectors/platforms/gitlab/simulator/state.ts";
import type { TrelloSettings } from "#connectors/platforms/trello/simulator/state.ts";
import {
  startTrelloSimulator,
  type TrelloSimulator,
} from "#connectors/platforms/trello/simulator/trello-simulator.ts";
import type { SimulatorServer } from "#connectors/toolkit/simulator/simulator-server.ts";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { checkRequest } from "#tests/conformance/check-request.ts";
import { contractsAreAbsent } from "#tests/conformance/contracts.ts";
import type { OutsideWorld } from "#workers/commands/simulated-vars.ts";
import { startMailSimulator } from "./mail/mail-simulator.ts";
import { type OidcSimulator, startOidcSimulator } from "./oidc/oidc-simulator.ts";
import { OIDC_DOMAINS, OIDC_PROVIDERS } from "./oidc/people.ts";
import { type StorageSimulators, startStorageSimulators, storageVars } from "./storages.ts";

/** The simulated outside world of the demo and the tests. */
export type Simulators = {
  githubWebUrl: string;
  githubApiUrl: string;
  /** Base of the simulated GitLab: web site, OAuth, git and API. */
  gitlabUrl: string;
  /** Base of the simulated Trello: web site, both sign-in methods and API. */
  trelloUrl: string;
  mailUrl: string;
  github: GithubSimulator;
  gitlab: GitlabSimulator;
  trello: TrelloSimulator;
  mail: SimulatorServer;
  oidc: OidcSimulator;
  storages: StorageSimulators;
  stop(): Promise<void>;
};

/** Options for starting the simulators. */
export type SimulatorsOptions = {
  /**
   * The first port. Order: GitHub, mail, identity providers, GitLab, Trello and its files, then storages from the
   * seventh on. 0 = any free ports.
   */
  port?: number;
  /** Keeps all data across restarts. */
  dir?: string;
  /** `people` omits the repositories, which starts faster. */
  seed?: "demo" | "people";
  /** Folder of extra bare repositories `OWNER/NAME.git`. */
  simGitRoot?: string;
  /** The token required for sending mail. Absent = any token. */
  mailToken?: string;
  /** Also checks every request against the published contracts, if they are present. Default: true. */
  isStrict?: boolean;
  github?: Partial<GithubSettings>;
  gitlab?: Partial<GitlabSettings>;
  trello?: Partial<TrelloSettings>;
  onGithubAnswer?: (exchange: AnsweredExchange) => void;
};

/** The storages use the ports after those of the platforms. */
const STORAGES_OFFSET = 6;

/** Starts every simulator. */
export async function startSimulators(options: SimulatorsOptions = {}): Promise<Simulators> {
  const port = options.port ?? 0;
  const isStrict = options.isStrict !== false && !contractsAreAbsent();
  const below = (name: string) => (options.dir === undefined ? undefined : path.join(options.dir, name));
  const github = await startGithubSimulator({
    port,
    directory: below("github"),
    seed: options.seed,
    settings: {
      gitRoot: options.simGitRoot ?? null,
      checkRequest: isStrict ? (method, url, body) => checkRequest("github", method, url, body) : null,
      ...options.github,
    },
    onAnswer: options.onGithubAnswer,
  });
  const mail = await startMailSimulator({
    port: port === 0 ? 0 : port + 1,
    directory: below("mail"),
    token: options.mailToken,
  });
  const oidc = await startOidcSimulator({
    port: port === 0 ? 0 : port + 2,
    directory: below("oidc"),
  });
  const gitlab = await startGitlabSimulator({
    port: port === 0 ? 0 : port + 3,
    directory: below("gitlab"),
    seed: options.seed,
    settings: { gitRoot: options.simGitRoot ?? null, ...options.gitlab },
  });
  const trello = await startTrelloSimulator({
    port: port === 0 ? 0 : port + 4,
    directory: below("trello"),
    seed: options.seed,
    settings: options.trello,
  });
  const storages = await startStorageSimulators({
    port: port === 0 ? 0 : port + STORAGES_OFFSET,
    dir: options.dir,
  });
  return {
    githubWebUrl: github.webUrl,
    githubApiUrl: github.apiUrl,
    gitlabUrl: gitlab.url,
    trelloUrl: trello.url,
    mailUrl: mail.url,
    github,
    gitlab,
    trello,
    mail,
    oidc,
    storages,
    async stop() {
      await Promise.all([github, gitlab, trello, mail, oidc].map((simulator) => simulator.stop()));
      await Promise.all(Object.values(storages).map((storage) => storage.stop()));
    },
  };
}

/** The settings that point the product at a simulated GitHub. */
function githubVars({ webUrl, apiUrl, world }: GithubSimulator): Record<string, string> {
  return {
    GITHUB_WEB_URL: webUrl,
    GITHUB_API_URL: apiUrl,
    GITHUB_CLIENT_ID: world.settings.clientId,
    GITHUB_CLIENT_SECRET: world.settings.clientSecret,
    GITHUB_APP_SLUG: "holdfast-simulated",
  };
}

/** The settings that point the product at a simulated GitLab. */
function gitlabVars({ url, world }: GitlabSimulator): Record<string, string> {
  return {
    GITLAB_URL: url,
    GITLAB_CLIENT_ID: world.settings.clientId,
    GITLAB_CLIENT_SECRET: world.settings.clientSecret,
  };
}

/** The settings that point the product at a simulated Trello. */
export function trelloVars({ url, world }: TrelloSimulator): Record<string, string> {
  return {
    TRELLO_URL: url,
    TRELLO_API_URL: `${url}/1`,
    TRELLO_AUTH_URL: url,
    TRELLO_CLIENT_ID: world.settings.clientId,
    TRELLO_CLIENT_SECRET: world.settings.clientSecret,
    TRELLO_API_KEY: world.settings.apiKey,
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
    github: githubVars(simulators.github),
    gitlab: gitlabVars(simulators.gitlab),
    trello: trelloVars(simulators.trello),
    ...Object.fromEntries(providers),
    ...storageVars(simulators.storages),
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
    isStrict: false,
    simGitRoot: values["git-root"],
  });
  const addresses: OutsideWorld = { mailUrl: simulators.mailUrl, services: varsOfServices(simulators) };
  process.stdout.write(`${JSON.stringify(addresses)}\n`);
  const stop = () => void simulators.stop().then(() => process.exit(0));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
