import type { AccountsDeps } from "../deps.ts";
import type { FederationSettings } from "./providers.ts";

/** The services that federation uses in addition to those of identity. */
export type FederationDeps = AccountsDeps & {
  /** Requests to external systems. Redirects are not followed. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  settings: AccountsDeps["settings"] & FederationSettings;
};
