import { useRouteLoaderData } from "@remix-run/react";

/** The host's frame around our pages, as screens need it. */
export type FrameView = {
  platform: string;
  /** The host's name, e.g. of the platform. */
  label: string;
  /** The app's page, which opens tabs for us. */
  shellOrigin: string;
};

/** The host's frame in which the page is shown; null outside of one. */
export function useFrame(): FrameView | null {
  return useRouteLoaderData<{ frame: FrameView | null }>("root")?.frame ?? null;
}
