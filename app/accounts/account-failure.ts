import { accountCopy } from "#app/copy/accounts.ts";

/** What an account needs before it can be used. */
export type AccountNeed = { kind: "code" } | { kind: "app"; text: string; isWarning: boolean };

/**
 * What an account needs according to a failed call; null for unrelated failures. The message about a missing app is the
 * same everywhere (spec P-417). An account that is still being set up can already be confirmed (P-419).
 */
export function needOf(failure: { code?: string; status?: number; message: string }): AccountNeed | null {
  switch (failure.code) {
    case "err.app.missing":
      return { kind: "app", text: accountCopy.appMissing, isWarning: false };
    case "err.app.delay":
    case "err.connection.unconfirmed":
      return { kind: "code" };
    default:
      return null;
  }
}

/** The same for changing the account. There, 404 means that the named account does not have the app (spec P-421). */
export function needOfChange(failure: {
  code?: string;
  status: number;
  message: string;
}): AccountNeed | null {
  return (
    needOf(failure) ??
    (failure.status === 404 || failure.code === "404"
      ? { kind: "app", text: failure.message, isWarning: true }
      : null)
  );
}
