import type { ShouldRevalidateFunction } from "@remix-run/react";

/**
 * For loaders that do not read the query string, and for lists that fetch their later pages themselves. Changing page,
 * search or filter on the same screen does not run the loader. A form or an explicit revalidation still does.
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
