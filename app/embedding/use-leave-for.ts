import { type OneRequest, useRequest } from "#app/api/use-request.ts";
import { useMainSite } from "./use-main-site.ts";

/** Leaves for a page that refuses to be framed. An error stays on this page, and in a host's frame the main site opens instead. */
export function useLeaveFor(): Omit<OneRequest, "send" | "isDone"> & {
  leave: (address: () => Promise<string>) => void;
} {
  const { isBusy, isDone, send, ...request } = useRequest();
  const openMainSite = useMainSite();
  const leave = (address: () => Promise<string>) =>
    openMainSite ? openMainSite() : void send(async () => window.location.assign(await address()));
  // The page stays busy until the other one is shown.
  return { ...request, isBusy: isBusy || isDone, leave };
}
