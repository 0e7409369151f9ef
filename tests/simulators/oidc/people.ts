import { createHash } from "node:crypto";

/** The simulated identity providers, by their path segment. */
export const OIDC_PROVIDERS = ["google", "enterprise", "okta"] as const;
export type OidcProviderName = (typeof OIDC_PROVIDERS)[number];

/** The e-mail domains of the simulated companies' providers. */
export const OIDC_DOMAINS = { enterprise: "meridian.example", okta: "northwind.example" } as const;

/** A person at a provider. */
export type OidcPerson = {
  subject: string;
  email: string;
  isEmailVerified: boolean;
  givenName: string;
  familyName: string;
  /** Domain of the person's Google Workspace. Null = a private account. */
  hostedDomain: string | null;
};

export type OidcState = { people: Record<OidcProviderName, OidcPerson[]> };
export type PeopleFile = { state: OidcState; save(): void; flush(): void };

/** The initial people. */
export function seedPeople(): OidcState {
  const person = (provider: OidcProviderName, email: string, name: string, more: Partial<OidcPerson> = {}) =>
    describePerson(provider, { email, name, ...more });
  return {
    people: {
      google: [
        person("google", "nora.lindqvist@gmail.com", "Nora Lindqvist"),
        person("google", "ivo@meridian.example", "Ivo Petrov", { hostedDomain: "meridian.example" }),
        person("google", "mara@elsewhere.example", "Mara Unconfirmed", { isEmailVerified: false }),
      ],
      enterprise: [
        person("enterprise", `nora@${OIDC_DOMAINS.enterprise}`, "Nora Lindqvist"),
        person("enterprise", `ivo@${OIDC_DOMAINS.enterprise}`, "Ivo Petrov"),
        person("enterprise", "guest@elsewhere.example", "Gus Guest"),
      ],
      okta: [
        person("okta", `sol@${OIDC_DOMAINS.okta}`, "Sol Abara"),
        person("okta", `tove@${OIDC_DOMAINS.okta}`, "Tove Hansen"),
      ],
    },
  };
}

/** Completes a person from known fields. Without a subject, derives it from provider and e-mail. */
export function describePerson(
  provider: OidcProviderName,
  known: { email: string; name?: string } & Partial<OidcPerson>,
): OidcPerson {
  const local = known.email.split("@")[0] ?? "";
  const [givenName = local, ...rest] = (known.name || local).split(" ");
  return {
    subject:
      known.subject ?? createHash("sha256").update(`${provider} ${known.email}`).digest("hex").slice(0, 24),
    email: known.email,
    isEmailVerified: known.isEmailVerified ?? true,
    givenName: known.givenName ?? givenName,
    familyName: known.familyName ?? rest.join(" "),
    hostedDomain: known.hostedDomain ?? null,
  };
}

/** Adds the person, or replaces the one with that subject. */
export function putPerson(state: OidcState, provider: OidcProviderName, person: OidcPerson): void {
  const others = state.people[provider].filter(({ subject }) => subject !== person.subject);
  state.people[provider] = [...others, person];
}

/** The claims of a person. */
export function claimsOf(person: OidcPerson): { sub: string } & Record<string, string | boolean> {
  return {
    sub: person.subject,
    email: person.email,
    email_verified: person.isEmailVerified,
    given_name: person.givenName,
    family_name: person.familyName,
    name: `${person.givenName} ${person.familyName}`.trim(),
    ...(person.hostedDomain === null ? {} : { hd: person.hostedDomain }),
  };
}
