import type { AccountsDeps } from "../deps.ts";
import type { FederationSettings } from "./providers.ts";

/** What signing in through another service needs besides the rest of identity. */
export type FederationDeps = AccountsDeps & {
  /** Requests to outside systems; redirects are not followed. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  settings: AccountsDeps["settings"] & FederationSettings;
};
