import { Callout } from "#app/components/callout.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";

/** Shown in place of content that the version lacks or that cannot be read. */
export function FrameNote({ problem }: { problem: string | null }) {
  return <Callout tone="warn">{problem ?? copy.notHeld}</Callout>;
}
