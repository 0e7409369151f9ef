import type { ShouldRevalidateFunction } from "@remix-run/react";

/**
 * For loaders that do not read the query string, and for lists that fetch their later pages themselves: moving to another
 * page, search or filter of the same screen asks the server nothing. A form or an explicit revalidation still does.
 */
export const keepsOnSearchChange: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) => {
  const isSearchOnly = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return isSearchOnly && !formMethod ? false : defaultShouldRevalidate;
};
