import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";

/**
 * A form whose fields are a part of the address, so that a filter or a search works without scripts: the server renders
 * the page of the new address. `rest` is the part that its fields do not name. With scripts the fields' own handlers
 * change the address, and the form itself is never submitted.
 */
export function QueryForm({
  rest,
  className = "query-form",
  children,
}: {
  rest: Iterable<readonly [string, string]>;
  className?: string;
  children: ReactNode;
}) {
  return (
    <form
      method="get"
      className={className}
      action={useLocation().pathname}
      onSubmit={(event) => event.preventDefault()}
    >
      {[...rest].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
