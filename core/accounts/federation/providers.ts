import { AppError } from "#core/kernel/app-error.ts";

/**
 * Other services that may say who somebody is: Google, the single sign-on of the company domain, and the alternative
 * one of the organisation that the `okta` query names (spec part 1 sections 3 and 9).
 */
export const SIGN_IN_PROVIDERS = ["google", "enterprise", "okta"] as const;
export type SignInProvider = (typeof SIGN_IN_PROVIDERS)[number];

/** How the providers are called in a sentence. */
export const PROVIDER_LABELS: Readonly<Record<SignInProvider, string>> = {
  google: "Google",
  enterprise: "your company's single sign-on",
  okta: "Okta",
};

/** The settings of all providers; names are those of the environment. */
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

/** One provider as it is set up here. */
export type ProviderSetup = {
  provider: SignInProvider;
  /** Exactly as the provider names itself in its tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The e-mail domain that the provider speaks for, in lower case; null for a provider of everybody. */
  domain: string | null;
};

/** Longest company domain (spec part 1 section 5, "Enterprise company domain"). */
export const DOMAIN_MAX_LENGTH = 25;

/** The providers that are set up, in the order of the screens. What is not set up has no button. */
export function listSignInProviders(settings: FederationSettings): SignInProvider[] {
  return SIGN_IN_PROVIDERS.filter((provider) => findSetup(settings, provider) !== null);
}

/** How a provider is set up; null when its issuer, client or domain is missing, or when it is unknown. */
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
        issuer: settings.ENTERPRISE_ISSUER ?? "",
        clientId: settings.ENTERPRISE_CLIENT_ID,
        clientSecret: settings.ENTERPRISE_CLIENT_SECRET,
        domain: companyDomain,
      });
    case "okta":
      return complete({
        provider,
        issuer: settings.OKTA_ISSUER ?? "",
        clientId: settings.OKTA_CLIENT_ID,
        clientSecret: settings.OKTA_CLIENT_SECRET,
        // The alternative configuration of the same company, unless it names a domain of its own.
        domain: settings.OKTA_DOMAIN.toLowerCase() || companyDomain,
      });
    default:
      return null;
  }
}

/** A provider that lacks its secret, or speaks for no domain although it is a company's, could sign nobody in. */
function complete(setup: ProviderSetup): ProviderSetup | null {
  const { issuer, clientId, clientSecret, domain } = setup;
  return issuer && clientId && clientSecret && domain !== "" ? setup : null;
}

/**
 * Holds a typed company domain against the one that is accepted. The company's sign-on asks for it; the alternative
 * one is already chosen by its query and only refuses a wrong one.
 * @throws AppError `err.federation.domain`
 */
export function assertDomain(setup: ProviderSetup, typed: string | null): void {
  const domain = (typed ?? "").trim().toLowerCase();
  if (setup.domain === null || (setup.provider === "okta" && domain === "")) return;
  if (domain.length > DOMAIN_MAX_LENGTH || domain !== setup.domain)
    throw new AppError("err.federation.domain");
}
