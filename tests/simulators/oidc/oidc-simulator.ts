import { existsSync, mkdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { Hono } from "hono";
import type Provider from "oidc-provider";
import { z } from "zod";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { openStateFile } from "#connectors/toolkit/simulator/state-file.ts";
import { createProvider, type OidcClient } from "./create-provider.ts";
import {
  describePerson,
  OIDC_PROVIDERS,
  type OidcProviderName,
  type PeopleFile,
  putPerson,
  seedPeople,
} from "./people.ts";
import { answerSignIn } from "./sign-in.ts";

/** A running set of identity providers. */
export type OidcSimulator = SimulatorServer & {
  issuers: Record<OidcProviderName, string>;
  clients: Record<OidcProviderName, OidcClient>;
};

/** The product's registrations. These secrets protect nothing. */
const OIDC_CLIENTS: Record<OidcProviderName, OidcClient> = {
  google: { clientId: "holdfast-google", clientSecret: "simulated-google-secret" },
  enterprise: { clientId: "holdfast-enterprise", clientSecret: "simulated-enterprise-secret" },
  okta: { clientId: "holdfast-okta", clientSecret: "simulated-okta-secret" },
};

/**
 * Starts Google and two companies' single sign-on at `/google`, `/enterprise` and `/okta` of one server. Each is a
 * separate issuer with its own keys and people.
 * @param options.port 0 takes any free port
 */
export async function startOidcSimulator(
  options: { port?: number; directory?: string; callbacks?: readonly string[] } = {},
): Promise<OidcSimulator> {
  const file = openPeople(options.directory);
  const built: { issuers?: Record<OidcProviderName, string> } = {};
  const server = await startSimulatorServer(options.port ?? 0, async ({ url }) => {
    const issuers = forEachProvider((name) => `${url}/${name}`);
    const entries = OIDC_PROVIDERS.map(
      async (name): Promise<[OidcProviderName, Provider]> => [
        name,
        await createProvider({
          name,
          issuer: issuers[name],
          client: OIDC_CLIENTS[name],
          callbacks: options.callbacks ?? [],
          findPerson: (subject) => file.state.people[name].find((person) => person.subject === subject),
        }),
      ],
    );
    const providers = new Map(await Promise.all(entries));
    built.issuers = issuers;
    return {
      handle: (request, response) => route({ providers, file }, request, response),
      control: controlRoutes(file),
    };
  });
  return {
    ...server,
    issuers: built.issuers as Record<OidcProviderName, string>,
    clients: OIDC_CLIENTS,
    async stop() {
      await server.stop();
      file.flush();
    },
  };
}

function openPeople(directory: string | undefined): PeopleFile {
  if (directory === undefined) return { state: seedPeople(), save: () => undefined, flush: () => undefined };
  if (!existsSync(directory)) mkdirSync(directory, { recursive: true });
  return openStateFile(path.join(directory, "people.json"), seedPeople);
}

type World = { providers: ReadonlyMap<OidcProviderName, Provider>; file: PeopleFile };

async function route(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, name = "", rest = ""] = /^\/([a-z]+)(\/.*)?$/.exec(request.url ?? "") ?? [];
  const provider = world.providers.get(name as OidcProviderName);
  if (!provider) {
    response.writeHead(404, { "Content-Type": "text/plain" }).end("There is no such provider.");
    return;
  }
  if (rest.startsWith("/sign-in/")) {
    await answerSignIn({ name: name as OidcProviderName, provider, file: world.file }, request, response);
    return;
  }
  if (rest.startsWith("/auth")) forgetSession(name, request);
  Object.assign(request, { originalUrl: request.url });
  request.url = rest === "" ? "/" : rest;
  await provider.callback()(request, response);
}

/** Drops the provider's session cookie, so that every sign-in asks for the person. */
function forgetSession(name: string, request: IncomingMessage): void {
  const kept = (request.headers.cookie ?? "")
    .split(/;\s*/)
    .filter((pair) => !pair.startsWith(`${name}_session`));
  request.headers.cookie = kept.join("; ");
}

const personOrder = z.strictObject({
  email: z.string(),
  name: z.string().optional(),
  subject: z.string().optional(),
  isEmailVerified: z.boolean().optional(),
  givenName: z.string().optional(),
  familyName: z.string().optional(),
  hostedDomain: z.string().nullable().optional(),
});

/** `POST|GET /__sim/oidc/{provider}/people`: adds or replaces a person, or lists them. */
function controlRoutes(file: PeopleFile): Hono {
  const app = new Hono();
  const providerName = z.enum(OIDC_PROVIDERS);
  app.post("/oidc/:provider/people", async (c) => {
    const provider = providerName.parse(c.req.param("provider"));
    const person = describePerson(provider, personOrder.parse(await c.req.json()));
    putPerson(file.state, provider, person);
    file.save();
    return c.json(person);
  });
  app.get("/oidc/:provider/people", (c) =>
    c.json({ people: file.state.people[providerName.parse(c.req.param("provider"))] }),
  );
  return app;
}

function forEachProvider<T>(make: (name: OidcProviderName) => T): Record<OidcProviderName, T> {
  return Object.fromEntries(OIDC_PROVIDERS.map((name) => [name, make(name)])) as Record<OidcProviderName, T>;
}
