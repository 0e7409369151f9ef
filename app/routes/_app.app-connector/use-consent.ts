import { connectUrl } from "#app/accounts/account-calls.ts";
import type { CalledAccount } from "#app/api/call-platform.ts";
import { useLeaveFor } from "#app/embedding/use-leave-for.ts";
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
  const { leave, isBusy, refusal } = useLeaveFor();
  return { go: () => leave(() => connectUrl(account, order)), isBusy, error: refusal };
}
