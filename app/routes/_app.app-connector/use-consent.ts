import { useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { connectUrl } from "#app/components/account-calls.ts";

/** Fetches the URL of a platform's consent page and opens it (spec B-262). Errors are shown on this page. */
export function useConsent(platform: string): {
  go: () => void;
  isBusy: boolean;
  error: string | null;
} {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  async function go() {
    setIsBusy(true);
    setError(null);
    try {
      window.location.assign(await connectUrl(platform));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message);
      setIsBusy(false);
    }
  }
  return { go: () => void go(), isBusy, error };
}
