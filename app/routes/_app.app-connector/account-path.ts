/** Value of `account` in the URL while another account is being added. */
export const NEW_ACCOUNT = "new";

/** Returns the URL of an account's page; `rest` is added to the query. */
export function accountPath(
  platform: string,
  account: string | null,
  rest: Readonly<Record<string, string>> = {},
): string {
  return `?${new URLSearchParams({ platform, ...(account === null ? {} : { account }), ...rest })}`;
}

/** Returns the account for the URL; null = the platform has only one. */
export function accountIn({
  accounts,
  connection,
  isAdding,
}: {
  accounts: readonly unknown[];
  connection: { id: string } | null;
  isAdding: boolean;
}): string | null {
  if (isAdding) return NEW_ACCOUNT;
  return accounts.length > 1 ? (connection?.id ?? null) : null;
}
