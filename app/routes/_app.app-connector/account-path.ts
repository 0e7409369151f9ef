/** Stands in the address for an account that is being connected beside others. */
export const NEW_ACCOUNT = "new";

/** The page of one account of a platform; `rest` is what else its address says. */
export function accountPath(
  platform: string,
  account: string | null,
  rest: Readonly<Record<string, string>> = {},
): string {
  return `?${new URLSearchParams({ platform, ...(account === null ? {} : { account }), ...rest })}`;
}

/** How addresses name the account that a page is about; the only one needs no name. */
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
