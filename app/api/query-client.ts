import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./transport.ts";

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: ApiError;
  }
}

/** How long data stays that no screen shows, in ms. Screens never open with data of an earlier visit. */
const UNSHOWN_MS = 1_000;

/**
 * The cache of the data that a signed-in page shows. Every screen that opens fetches anew, live events say when it
 * changes, and a failed call is shown rather than repeated. An error that is not the API's is a fault of ours and goes
 * to the error boundary.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The server renders once. A timer there would outlive the response.
        gcTime: typeof window === "undefined" ? Number.POSITIVE_INFINITY : UNSHOWN_MS,
        networkMode: "always",
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: false,
        throwOnError: (error) => !(error instanceof ApiError),
      },
      mutations: { networkMode: "always", gcTime: 0 },
    },
  });
}
