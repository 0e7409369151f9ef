import { AppError } from "#core/kernel/app-error.ts";

/**
 * The services that people can sign in through: Google, the single sign-on of the company domain, and the alternative
 * one of the organisation, selected by the `okta` query parameter (spec part 1 sections 3 and 9).
 */
export const SIGN_IN_PROVIDERS = ["google", "enterprise", "okta"] as const;
export type SignInProvider = (typeof SIGN_IN_PROVIDERS)[number];

/** The providers' names within a sentence. */
export const PROVIDER_LABELS: Readonly<Record<SignInProvider, string>> = {
  google: "Google",
  enterprise: "your company's single sign-on",
  okta: "Okta",
};

/** The settings of all providers; the names are those of the environment. */
export type FederationSettings = {
  GOOGLE_ISSUER: string;
  GOOGLE_CLIENT_ID: string;
  GOOGLE_CLIENT_SECRET: string;
  ENTERPRISE_ISSUER?: string;
  ENTERPRISE_CLIENT_ID: string;
  ENTERPRISE_CLIENT_SECRET: string;
  ENTERPRISE_DOMAIN: string;
  OKTA_ISSUER?: string;
  OKTA_CLIENT_ID: string;
  OKTA_CLIENT_SECRET: string;
  OKTA_DOMAIN: string;
};

/** A configured provider. */
export type ProviderSetup = {
  provider: SignInProvider;
  /** Exactly the issuer in the provider's tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The e-mail domain of the company's provider, in lower case; null for a provider open to everyone. */
  domain: string | null;
};

/** Longest company domain (spec part 1 section 5, "Enterprise company domain"). */
export const DOMAIN_MAX_LENGTH = 25;

/** The configured providers, in the order of the sign-in page. Others get no button. */
export function listSignInProviders(settings: FederationSettings): SignInProvider[] {
  return SIGN_IN_PROVIDERS.filter((provider) => findSetup(settings, provider) !== null);
}

/** A provider's configuration; null when its issuer, client, secret or domain is missing, or when it is unknown. */
export function findSetup(settings: FederationSettings, provider: string): ProviderSetup | null {
  const companyDomain = settings.ENTERPRISE_DOMAIN.toLowerCase();
  switch (provider) {
    case "google":
      return complete({
        provider,
        issuer: settings.GOOGLE_ISSUER,
        clientId: settings.GOOGLE_CLIENT_ID,
        clientSecret: settings.GOOGLE_CLIENT_SECRET,
        domain: null,
      });
    case "enterprise":
      return complete({
        provider,
        issuer: settings.ENTERPRISE_ISSUER,
        clientId: settings.ENTERPRISE_CLIENT_ID,
        clientSecret: settings.ENTERPRISE_CLIENT_SECRET,
        domain: companyDomain,
      });
    case "okta":
      return complete({
        provider,
        issuer: settings.OKTA_ISSUER,
        clientId: settings.OKTA_CLIENT_ID,
        clientSecret: settings.OKTA_CLIENT_SECRET,
        // The alternative provider of the same company, unless it has its own domain.
        domain: settings.OKTA_DOMAIN.toLowerCase() || companyDomain,
      });
    default:
      return null;
  }
}

/**
 * Returns null for an incomplete setup: a missing issuer, client or secret, or a company's provider without a domain.
 */
function complete({
  issuer,
  ...setup
}: Omit<ProviderSetup, "issuer"> & { issuer: string | undefined }): ProviderSetup | null {
  const { clientId, clientSecret, domain } = setup;
  return issuer && clientId && clientSecret && domain !== "" ? { ...setup, issuer } : null;
}

/**
 * Checks the company domain that was typed. The company's provider requires it; the alternative one is already selected
 * by its query parameter and rejects only a wrong domain.
 * @throws AppError `err.federation.domain`
 */
export function assertDomain(setup: ProviderSetup, typed: string | null): void {
  const domain = (typed ?? "").trim().toLowerCase();
  if (setup.domain === null || (setup.provider === "okta" && domain === "")) return;
  if (domain.length > DOMAIN_MAX_LENGTH || domain !== setup.domain)
    throw new AppError("err.federation.domain");
}
