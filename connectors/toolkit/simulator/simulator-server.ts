import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { damageResponse } from "./damage-response.ts";
import { createFaultPlan, type FaultAction, type FaultPlan, faultSchema } from "./faults.ts";
import { pktLine } from "./pkt-line.ts";
import { createRequestLog, type LoggedRequest, type RequestLog } from "./request-log.ts";

/** A complete response, e.g. a rate limit. */
export type PlainAnswer = { status: number; headers: Record<string, string>; body: string };

/** A platform behind a simulator server. */
export type SimulatedPlatform = {
  /** Answers everything outside `/__sim`. */
  handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
  /** Further routes below `/__sim`, e.g. `/github/repos/…`. */
  control?: Hono;
  /** The platform's rate-limit responses, by name. */
  rateLimit?: (limit: Extract<FaultAction, { kind: "rate-limit" }>) => PlainAnswer;
};

/** A running simulator. */
export type SimulatorServer = {
  url: string;
  port: number;
  faults: FaultPlan;
  log: RequestLog;
  /** Closes every connection; resolves when the port is free. */
  stop(): Promise<void>;
};

/**
 * Starts an HTTP server on the loopback interface that logs requests and injects faults in front of a platform.
 * @param port 0 = any free port.
 */
export async function startSimulatorServer(
  port: number,
  build: (server: { url: string; log: RequestLog }) => SimulatedPlatform | Promise<SimulatedPlatform>,
): Promise<SimulatorServer> {
  const faults = createFaultPlan();
  const log = createRequestLog();
  const listeners: { serve?: (request: IncomingMessage, response: ServerResponse) => void } = {};
  // Only the client closes idle connections: otherwise a call could hit a connection that is just being closed.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) =>
    listeners.serve?.(request, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const url = `http://127.0.0.1:${bound}`;
  const platform = await build({ url, log });
  const control = getRequestListener(controlApp({ faults, log }, platform).fetch);
  listeners.serve = (request, response) => {
    if (request.url?.startsWith("/__sim")) void control(request, response);
    else void answer({ platform, faults, log }, request, response);
  };
  return {
    url,
    port: bound,
    faults,
    log,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { platform, faults, log }: { platform: SimulatedPlatform; faults: FaultPlan; log: RequestLog },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url ?? "/";
  const method = request.method ?? "GET";
  const entry = log.open(method, path);
  countBytes(entry, request, response);
  const odd = oddHeader(request);
  if (odd !== null) {
    const reason = `The header ${odd} holds other bytes than ASCII's.`;
    log.refuse({ kind: "refused", method, path, status: 400, reason });
    send(response, { status: 400, headers: { "Content-Type": "text/plain" }, body: reason });
    return;
  }
  const fault = faults.take(method, path);
  entry.fault = fault?.kind ?? null;
  if (fault && (await injectBefore(platform, fault, request, response))) return;
  try {
    await platform.handle(request, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else send(response, { status: 500, headers: {}, body: `The simulator failed: ${String(error)}` });
  }
}

/**
 * The first header with bytes beyond ASCII; null = none. RFC 9110 section 5.5 calls them obsolete and no platform
 * documents support for them. The product must not send them: its runtime writes such a header into its log.
 */
function oddHeader({ rawHeaders }: IncomingMessage): string | null {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (!/^[\t\x20-\x7e]*$/.test(rawHeaders[at + 1]!)) return rawHeaders[at]!;
  return null;
}

/** Applies the part of a fault that precedes the platform. Returns true when the request is fully handled. */
async function injectBefore(
  platform: SimulatedPlatform,
  fault: FaultAction,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  switch (fault.kind) {
    case "latency":
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return false;
    case "drop":
      if (fault.handled) break;
      request.socket.destroy();
      return true;
    case "answer": {
      const isText = typeof fault.body === "string";
      const type = isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
      const body = isText ? String(fault.body) : JSON.stringify(fault.body);
      send(response, { status: fault.status, headers: { "Content-Type": type, ...fault.headers }, body });
      return true;
    }
    case "html":
      send(response, {
        status: fault.status,
        headers: { "Content-Type": "text/html; charset=utf-8" },
        body: "<!doctype html><title>Unicorn!</title><p>This page is taking too long to load.</p>",
      });
      return true;
    case "err-line": {
      const service = request.url?.match(/git-(upload|receive)-pack/)?.[0] ?? "git-upload-pack";
      const suffix = request.method === "GET" ? "advertisement" : "result";
      response.writeHead(200, { "Content-Type": `application/x-${service}-${suffix}` });
      response.end(pktLine(`ERR ${fault.message}\n`));
      return true;
    }
    case "rate-limit":
      if (!platform.rateLimit) throw new Error("This platform has no shapes of rate limits");
      send(response, platform.rateLimit(fault));
      return true;
    case "cut":
    case "stall":
    case "band3":
    case "wrong-trailer":
    case "object-count":
    case "drip":
      break;
  }
  damageResponse(response, fault);
  return false;
}

function send(response: ServerResponse, { status, headers, body }: PlainAnswer): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** Counts bytes at Node's own streams, so that every way of reading and writing is included. */
function countBytes(entry: LoggedRequest, request: IncomingMessage, response: ServerResponse): void {
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk) entry.bytesIn += chunk.length;
    return push(chunk, encoding);
  };
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const count = (chunk: unknown) => {
    if (typeof chunk === "string") entry.bytesOut += Buffer.byteLength(chunk);
    else if (chunk instanceof Uint8Array) entry.bytesOut += chunk.length;
  };
  response.write = ((...args: Parameters<typeof write>) => {
    count(args[0]);
    return write(...args);
  }) as typeof response.write;
  response.end = ((...args: Parameters<typeof end>) => {
    count(args[0]);
    return end(...args);
  }) as typeof response.end;
  response.once("close", () => {
    if (response.headersSent) entry.status = response.statusCode;
  });
  response.once("finish", () => {
    entry.status = response.statusCode;
  });
}

/** The endpoints of `SIM_CONTROL`: faults, the request log, refusals. */
function controlApp(
  { faults, log }: { faults: FaultPlan; log: RequestLog },
  { control: more, rateLimit }: SimulatedPlatform,
): Hono {
  const app = new Hono().basePath("/__sim");
  app.get("/requests", (c) => c.json({ requests: log.requests() }));
  app.delete("/requests", (c) => {
    log.reset();
    return c.body(null, 204);
  });
  app.get("/refusals", (c) => c.json({ refusals: log.refusals() }));
  app.get("/faults", (c) => c.json({ faults: faults.waiting() }));
  app.post("/faults", async (c) => {
    const order = faultSchema.safeParse(await c.req.json());
    if (!order.success) return c.json({ message: order.error.message }, 400);
    const { action } = order.data;
    // An unknown `shape` throws here instead of in the request that it is meant for.
    if (action.kind === "rate-limit") {
      if (!rateLimit) return c.json({ message: "This platform has no shapes of rate limits" }, 400);
      rateLimit(action);
    }
    faults.add(order.data);
    return c.body(null, 204);
  });
  app.delete("/faults", (c) => {
    faults.clear();
    return c.body(null, 204);
  });
  if (more) app.route("/", more);
  // Reports invalid commands to the test at once.
  app.onError((error, c) => c.json({ message: error.message }, 400));
  app.notFound((c) => c.json({ message: "There is no such order." }, 404));
  return app;
}
