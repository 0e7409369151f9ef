import { connectUrl } from "#app/accounts/account-calls.ts";
import type { CalledAccount } from "#app/api/call-platform.ts";
import { useRequest } from "#app/api/use-request.ts";
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
  const { isBusy, isDone, refusal, send } = useRequest();
  const go = () => send(async () => window.location.assign(await connectUrl(account, order)));
  return { go: () => void go(), isBusy: isBusy || isDone, error: refusal };
}
