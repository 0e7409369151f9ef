import type { AppLoadContext } from "@remix-run/cloudflare";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { FrameView } from "./use-frame.ts";

/** The host's frame of a request, as screens need it; null outside of one. */
export function frameViewOf({ services }: AppLoadContext): FrameView | null {
  const { FRAME } = services.settings;
  if (!FRAME) return null;
  const { platform, shellOrigin } = FRAME;
  const label = descriptors.find(({ id }) => id === platform)?.label ?? "";
  return { platform, label, shellOrigin };
}
