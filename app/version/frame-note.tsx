import { Callout } from "#app/components/callout.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";

/** Shown instead of something that the version does not have or that cannot be read. */
export function FrameNote({ problem }: { problem: string | null }) {
  return <Callout tone="warn">{problem ?? copy.notHeld}</Callout>;
}
