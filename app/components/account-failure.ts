import { accountCopy } from "#app/copy/accounts.ts";

/** What an account still needs before it can be worked with. */
export type AccountNeed = { kind: "code" } | { kind: "app"; text: string; isWarning: boolean };

/**
 * What a refused call says about the account, or null when it speaks of something else. The sentence about a missing app
 * is the same wherever it turns up (spec P-417); an account that is still being set up can be confirmed already (P-419).
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

/** The same for a change of the account, where 404 means that the app is not on the named one (spec P-421). */
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
