import { setTimeout as pause } from "node:timers/promises";

/** Each sample collects garbage first, which stops the isolates for some milliseconds. */
const BETWEEN_SAMPLES_MS = 1_000;
const PATIENCE_MS = 25_000;
const COLLECT = "HeapProfiler.collectGarbage";

/** What `Runtime.getHeapUsage` returns, in bytes (V8's inspector protocol, domain Runtime). */
type Usage = { usedSize: number; backingStorageSize: number };

/** Samples the heap of the Worker's own isolate while something runs. */
export type HeapWatch = {
  /**
   * Ends the sampling. Returns the largest sample in bytes; 0 = it was never sampled, because the isolate had little to do.
   * @throws Error when the inspector failed
   */
  stop: () => Promise<number>;
};

/**
 * Watches what the isolate of the product's Worker needs, which Cloudflare limits to 128 MB: objects and buffers, without
 * garbage, which V8 lets pile up as far as the heap may grow. The process of the local runtime holds the isolates of its
 * bucket and its databases too, which run elsewhere in production. Their garbage holds streams and rows outside of any
 * heap, so it is collected as often. Without that, the process grows with the length of the run.
 *
 * @param worker address of the Worker's inspector
 * @param others addresses of the other isolates' inspectors
 * @throws Error when one refuses the connection
 */
export async function watchHeap(worker: string, others: readonly string[]): Promise<HeapWatch> {
  const neighbours = await Promise.all(others.map(connect));
  for (const neighbour of neighbours) collectAgainAndAgain(neighbour);
  let watched = await connect(worker);
  let peak = 0;
  let isStopped = false;
  let failure: unknown = null;
  const sample = async () => {
    for (let id = 1; !isStopped; id++) {
      const isCollected = await ask(watched, { id: 2 * id, method: COLLECT });
      const usage =
        isCollected && (await ask<Usage>(watched, { id: 2 * id + 1, method: "Runtime.getHeapUsage" }));
      if (usage) peak = Math.max(peak, usage.usedSize + usage.backingStorageSize);
      else if (!isStopped) {
        watched.close();
        watched = await connect(worker);
      }
      await pause(BETWEEN_SAMPLES_MS);
    }
  };
  const sampling = sample().catch((error: unknown) => {
    failure = error;
  });
  return {
    stop: async () => {
      isStopped = true;
      for (const socket of [watched, ...neighbours]) socket.close();
      await sampling;
      if (failure !== null) throw failure;
      return peak;
    },
  };
}

async function connect(address: string): Promise<WebSocket> {
  // Wrangler forwards only what names an origin that it trusts. Node takes headers here, the browser's types do not.
  const options = { headers: { Origin: "http://localhost" } } as unknown as string[];
  const socket = new WebSocket(address, options);
  await new Promise((settle, fail) => {
    socket.addEventListener("open", settle, { once: true });
    socket.addEventListener("error", () => fail(new Error(`the inspector at ${address} refused`)), {
      once: true,
    });
  });
  return socket;
}

/** V8 collects when the isolate next runs, so an idle one answers late, or never. Nobody waits for that. */
function collectAgainAndAgain(socket: WebSocket): void {
  const order = () => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: 1, method: COLLECT }));
  };
  socket.addEventListener("message", () => setTimeout(order, BETWEEN_SAMPLES_MS));
  order();
}

/**
 * Sends a command to the inspector and returns its result. Returns null when no answer comes in time: the isolate is idle,
 * or the inspector's proxy lost the command.
 */
function ask<Result extends object>(
  socket: WebSocket,
  command: { id: number; method: string },
): Promise<Result | null> {
  return new Promise((settle) => {
    const end = (result: Result | null) => {
      clearTimeout(timer);
      socket.removeEventListener("close", onClose);
      socket.removeEventListener("message", onMessage);
      settle(result);
    };
    const onClose = () => end(null);
    const onMessage = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data)) as { id?: number; result?: Result };
      if (answer.id === command.id) end(answer.result ?? null);
    };
    const timer = setTimeout(onClose, PATIENCE_MS);
    socket.addEventListener("close", onClose);
    socket.addEventListener("message", onMessage);
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command));
    else end(null);
  });
}
