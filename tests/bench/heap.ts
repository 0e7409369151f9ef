import { setTimeout as pause } from "node:timers/promises";

/** Each sample collects garbage first, which stops the isolates for some milliseconds. */
const BETWEEN_SAMPLES_MS = 1_000;
const PATIENCE_MS = 30_000;
const COLLECT = "HeapProfiler.collectGarbage";

/** What `Runtime.getHeapUsage` returns, in bytes (V8's inspector protocol, domain Runtime). */
type Usage = { usedSize: number; backingStorageSize: number };

/** Samples the heap of the Worker's own isolate while something runs. */
export type HeapWatch = {
  /** Ends the sampling. Returns the largest sample in bytes. @throws Error when there was none */
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
 * @throws Error when one does not answer
 */
export async function watchHeap(worker: string, others: readonly string[]): Promise<HeapWatch> {
  const sockets = await Promise.all([worker, ...others].map(connect));
  const [watched, ...neighbours] = sockets as [WebSocket, ...WebSocket[]];
  for (const neighbour of neighbours) collectAgainAndAgain(neighbour);
  let peak = 0;
  let isStopped = false;
  const sampling = (async () => {
    for (let id = 1; !isStopped; id++) {
      await ask(watched, { id: 2 * id, method: COLLECT });
      const usage = await ask<Usage>(watched, { id: 2 * id + 1, method: "Runtime.getHeapUsage" });
      peak = Math.max(peak, usage.usedSize + usage.backingStorageSize);
      await pause(BETWEEN_SAMPLES_MS);
    }
  })();
  // A failure is thrown by `stop`, not while nobody waits for it.
  sampling.catch(() => {});
  return {
    stop: async () => {
      isStopped = true;
      try {
        await sampling;
      } finally {
        for (const socket of sockets) socket.close();
      }
      if (peak === 0) throw new Error("the heap was never sampled");
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

/** Sends a command of the inspector and returns its result. */
function ask<Result>(socket: WebSocket, command: { id: number; method: string }): Promise<Result> {
  return new Promise((settle, fail) => {
    const ended = new AbortController();
    const end = (then: () => void) => {
      clearTimeout(timer);
      ended.abort();
      then();
    };
    const timer = setTimeout(
      () => end(() => fail(new Error(`the inspector at ${socket.url} does not answer ${command.method}`))),
      PATIENCE_MS,
    );
    const { signal } = ended;
    socket.addEventListener("close", () => end(() => fail(new Error("the inspector hung up"))), { signal });
    socket.addEventListener(
      "message",
      ({ data }) => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: Result };
        if (answer.id !== command.id) return;
        end(() =>
          answer.result ? settle(answer.result) : fail(new Error("the inspector refused a command")),
        );
      },
      { signal },
    );
    socket.send(JSON.stringify(command));
  });
}
