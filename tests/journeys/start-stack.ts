import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, startService } from "#workers/commands/tools.ts";

/** Starting takes long on a machine that also runs other tests. */
const PATIENCE_MS = 300_000;
const POLL_MS = 250;

/** The running product for the journeys. */
export type JourneyStack = {
  /** Null once it responds, otherwise the reason why it cannot start. */
  ready: Promise<string | null>;
  stop(): Promise<void>;
};

/** Which product: what starts it, its port, and the name of its folder and log. */
type StackOrder = { script: string; port: number; name: string };

/** Starts the product without accounts, as Playwright's configuration does when it is not running. */
export function startJourneyStack({ script, port, name }: StackOrder): JourneyStack {
  const order = ["--port", String(port), "--dir", join(tmpdir(), `${name}-data`), "--reset", "--no-seed"];
  const product = startService("node", ["--import", "tsx", script, ...order], {
    logFile: join(ROOT, "tests/.output", `${name}-stack.log`),
  });
  let hasEnded = false;
  void product.ended.then(() => {
    hasEnded = true;
  });
  const untilReady = async () => {
    const deadline = performance.now() + PATIENCE_MS;
    while (!hasEnded && performance.now() < deadline) {
      const answer = await fetch(`http://localhost:${port}`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.ok) return null;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return `The product did not start:\n${product.lastWords()}`;
  };
  return { ready: untilReady(), stop: product.stop };
}
