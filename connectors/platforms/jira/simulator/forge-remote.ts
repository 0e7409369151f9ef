import { parse } from "yaml";
import { z } from "zod";
import type { ForgeCaller, ForgeIssuer } from "./forge-tokens.ts";

/** What a manifest says about calls of its remote. */
const manifestSchema = z.looseObject({
  modules: z.looseObject({
    endpoint: z.array(
      z.looseObject({
        key: z.string(),
        route: z.looseObject({ path: z.string() }).optional(),
        auth: z
          .looseObject({
            appSystemToken: z.looseObject({ enabled: z.boolean() }).optional(),
            appUserToken: z.looseObject({ enabled: z.boolean() }).optional(),
          })
          .default({}),
      }),
    ),
    "jira:globalPage": z.array(z.looseObject({ resolver: z.looseObject({ endpoint: z.string() }) })),
    scheduledTrigger: z.array(z.looseObject({ endpoint: z.string() })),
  }),
  permissions: z.looseObject({ scopes: z.array(z.string()) }),
});
type Endpoint = z.output<typeof manifestSchema>["modules"]["endpoint"][number];

/** The calls that Forge makes to an app's remote, signed and with the tokens that the manifest asks for. */
export type ForgeRemote = {
  /** `invokeRemote` of the page's bridge. */
  invoke(caller: ForgeCaller, order: InvokeOrder): Promise<Response>;
  /** The scheduled trigger of a site, whose token lives so long; by default as long as Forge's. */
  tick(caller: ForgeCaller, lifeMs?: number): Promise<Response>;
};
export type InvokeOrder = { path: string; method?: string; headers?: object; body?: unknown };

/** @param jiraUrl the simulated Jira that issues the tokens. A site that it does not have gets none, as an app whose update no administrator has accepted. */
export function forgeRemote({
  issuer,
  productUrl,
  jiraUrl,
  manifest: text,
}: {
  issuer: ForgeIssuer;
  productUrl: string;
  jiraUrl: string;
  manifest: string;
}): ForgeRemote {
  const { modules, permissions } = manifestSchema.parse(parse(text));
  const endpointOf = (key: string | undefined): Endpoint => {
    const found = modules.endpoint.find((each) => each.key === key);
    if (!found) throw new Error(`The manifest has no endpoint ${key}.`);
    return found;
  };
  async function call(caller: ForgeCaller, { auth }: Endpoint, order: InvokeOrder, lifeMs?: number) {
    const tokenOf = (login?: string) =>
      issueToken(`${jiraUrl}/__sim/jira/sites/${caller.cloudId}/forge-token`, {
        ...{ scopes: permissions.scopes, lifeMs, login },
      });
    const app = auth.appSystemToken?.enabled ? await tokenOf() : null;
    const { accountId } = caller;
    const person = auth.appUserToken?.enabled && accountId !== undefined ? await tokenOf(accountId) : null;
    return fetch(new URL(order.path, productUrl), {
      method: order.method ?? "GET",
      headers: {
        ...order.headers,
        Authorization: `Bearer ${await issuer.sign(caller)}`,
        ...(app === null ? {} : { "x-forge-oauth-system": app }),
        ...(person === null ? {} : { "x-forge-oauth-user": person }),
      },
      ...(order.body === undefined ? {} : { body: JSON.stringify(order.body) }),
    });
  }
  return {
    invoke: (caller, order) =>
      call(caller, endpointOf(modules["jira:globalPage"][0]?.resolver.endpoint), order),
    tick: (caller, lifeMs) => {
      const endpoint = endpointOf(modules.scheduledTrigger[0]?.endpoint);
      const headers = { "Content-Type": "application/json" };
      return call(
        caller,
        endpoint,
        { path: endpoint.route?.path ?? "/", method: "POST", headers, body: {} },
        lifeMs,
      );
    },
  };
}

/** Null when the simulated Jira has not the site or the person. */
async function issueToken(url: string, order: object): Promise<string | null> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(order) });
  const body = (await answer.json()) as { token?: string };
  return body.token ?? null;
}
