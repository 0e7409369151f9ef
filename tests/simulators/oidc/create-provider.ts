import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import Provider, { interactionPolicy } from "oidc-provider";
import { memoryAdapter } from "./memory-adapter.ts";
import { claimsOf, type OidcPerson, type OidcProviderName } from "./people.ts";

/** The product's registration at one provider. */
export type OidcClient = { clientId: string; clientSecret: string };

/**
 * A certified OpenID provider, configured to behave like the simulated one. Google puts e-mail and name into the ID
 * token. The companies' providers return them only at the userinfo endpoint, as Okta does in the code flow.
 */
export async function createProvider(order: {
  name: OidcProviderName;
  issuer: string;
  client: OidcClient;
  /** Further allowed redirect addresses. */
  callbacks: readonly string[];
  findPerson: (subject: string) => OidcPerson | undefined;
}): Promise<Provider> {
  const { name, issuer, client } = order;
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
  return new Provider(issuer, {
    adapter: memoryAdapter(),
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        token_endpoint_auth_method: "client_secret_post",
        // A native application may use any port of a loopback address (RFC 8252 section 7.3).
        application_type: "native",
        redirect_uris: [
          "http://localhost/identity/federation/callback",
          "http://127.0.0.1/identity/federation/callback",
          ...order.callbacks,
        ],
      },
    ],
    jwks: { keys: [await signingKey(name)] },
    cookies: {
      keys: [randomBytes(32).toString("base64url")],
      // The three providers share a host, so their cookies need different names.
      names: { session: `${name}_session`, interaction: `${name}_interaction`, resume: `${name}_resume` },
    },
    claims: {
      openid: ["sub", "hd"],
      email: ["email", "email_verified"],
      profile: ["given_name", "family_name", "name"],
    },
    conformIdTokenClaims: name !== "google",
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy, url: (_ctx, interaction) => `/${name}/sign-in/${interaction.uid}` },
    findAccount: (_ctx, subject) => {
      const person = order.findPerson(subject);
      return person && { accountId: subject, claims: () => claimsOf(person) };
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    renderError: (ctx, out) => {
      ctx.type = "text/plain";
      ctx.body = Object.entries(out)
        .map(([key, value]) => `${key}: ${String(value)}`)
        .join("\n");
    },
  });
}

async function signingKey(name: OidcProviderName): Promise<Record<string, unknown>> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid: name, use: "sig", alg: "RS256" };
}
