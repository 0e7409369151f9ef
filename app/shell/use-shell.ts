import { useRouteLoaderData } from "@remix-run/react";
import type { ShellView } from "./shell-view.ts";

/** The shell's data: the signed-in user, their time zone and platforms, and the server's time. */
export function useShell(): ShellView {
  const shell = useRouteLoaderData<ShellView>("routes/_app");
  if (!shell) throw new Error("useShell is for screens inside the signed-in frame");
  return shell;
}
