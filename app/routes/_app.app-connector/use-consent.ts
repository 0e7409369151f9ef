import { useState } from "react";
import { connectUrl } from "#app/accounts/account-calls.ts";
import { ApiError } from "#app/api/call-api.ts";
import type { CalledAccount } from "#app/api/call-platform.ts";
import type { Region } from "#core/kernel/platform-id.ts";

/** Opens a platform's consent page (spec B-262). An error stays on this page. */
export function useConsent(
  account: CalledAccount,
  order: { region?: Region | undefined; authMethod?: string },
): {
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
      window.location.assign(await connectUrl(account, order));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message);
      setIsBusy(false);
    }
  }
  return { go: () => void go(), isBusy, error };
}
