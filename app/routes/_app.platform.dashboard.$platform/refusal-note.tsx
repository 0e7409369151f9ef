import { needOf } from "#app/accounts/account-failure.ts";
import { InstallLink } from "#app/accounts/app-missing-dialog.tsx";
import type { ApiError } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { addItemsCopy } from "#app/copy/item-dialogs.ts";

/**
 * An error inside a dialog. When the platform's app is missing, links to its installation page, like the dialog about a
 * missing app (spec P-417, P-418).
 */
export function RefusalNote({
  failure,
  installUrl,
  onRetry,
}: {
  failure: ApiError;
  installUrl: string | null;
  /** Set when the same request can be retried. */
  onRetry?: () => void;
}) {
  const retry = onRetry && (
    <Button size="s" onClick={onRetry}>
      {addItemsCopy.retry}
    </Button>
  );
  const need = needOf(failure);
  if (need?.kind !== "app" || installUrl === null) {
    return (
      <Callout tone="bad" action={retry}>
        {failure.message}
      </Callout>
    );
  }
  return (
    <Callout tone="bad">
      <p>{need.text}.</p>
      <p className="soft">{accountCopy.installHint}</p>
      <div className="row wraps callout__ways">
        <InstallLink url={installUrl} />
        {retry}
      </div>
    </Callout>
  );
}
