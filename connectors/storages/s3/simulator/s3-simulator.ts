import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { openStateFolder, type StateFolder } from "#connectors/toolkit/simulator/state-folder.ts";
import { problemReply, S3Problem, type S3Reply } from "./answer.ts";
import { checkSignature } from "./check-signature.ts";
import { controlRoutes } from "./control.ts";
import { DEMO_BUCKET } from "./demo-bucket.ts";
import { operate, resourceOf } from "./operate.ts";
import type { S3Settings, S3State, S3World } from "./state.ts";

/** A running simulated S3 (`S3_API_URL`), which is addressed by path (`S3_ADDRESSING=path`). */
export type S3Simulator = SimulatorServer & { world: S3World };

/** A request and its response, for contract checks. */
export type S3Exchange = {
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  requestBody: string;
  status: number;
  headers: Record<string, string>;
  body: string;
};

export type S3SimulatorOptions = {
  /** 0 = any free port. */
  port?: number;
  /** Keeps buckets across restarts; absent = a temporary folder. */
  directory?: string;
  settings?: Partial<S3Settings>;
  onAnswer?: (exchange: S3Exchange) => void;
};

const freshState = (): S3State => ({
  buckets: [{ name: DEMO_BUCKET.bucketName, region: DEMO_BUCKET.region, objects: {}, uploads: [] }],
  keys: [
    {
      accessKeyId: DEMO_BUCKET.accessKeyID,
      secretAccessKey: DEMO_BUCKET.secretAccessKey,
      isActive: true,
      may: ["read", "write", "delete", "list"],
    },
  ],
  files: 0,
});

const DEFAULTS: S3Settings = {
  capacityBytes: null,
  minPartBytes: 5 * 1024 * 1024,
  checksClock: true,
  regionAnswer: "permanent-redirect",
};

/** Starts a simulated S3 that checks signatures and stores objects, on the loopback interface. */
export async function startS3Simulator(options: S3SimulatorOptions = {}): Promise<S3Simulator> {
  const file: StateFolder<S3State> = openStateFolder(options.directory, freshState);
  const built: { world?: S3World } = {};
  const server = await startSimulatorServer(options.port ?? 0, ({ log }) => {
    const world: S3World = {
      state: file.state,
      settings: { ...DEFAULTS, ...options.settings },
      directory: file.directory,
      save: file.save,
      refuse: (refusal) => log.refuse(refusal),
    };
    built.world = world;
    return {
      handle: (request, response) => answer(world, request, response, options.onAnswer),
      control: controlRoutes(world),
      rateLimit: ({ retryAfter }) => {
        const problem = new S3Problem(503, "SlowDown", "Please reduce your request rate.");
        const reply = problemReply(problem, "/");
        const headers = { ...reply.headers, ...(retryAfter ? { "retry-after": retryAfter } : {}) };
        return { status: 503, headers, body: String(reply.body) };
      },
    };
  });
  return {
    ...server,
    world: built.world as S3World,
    async stop() {
      await server.stop();
      file.close();
    },
  };
}

async function answer(
  world: S3World,
  request: IncomingMessage,
  response: ServerResponse,
  onAnswer: S3SimulatorOptions["onAnswer"],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const reply = replyTo(world, request, body);
  const isHead = request.method === "HEAD";
  const bytes = isHead ? "" : (reply.body ?? "");
  const headers: Record<string, string> = {
    server: "AmazonS3",
    ...(isHead ? {} : { "content-length": String(Buffer.byteLength(bytes)) }),
    ...reply.headers,
  };
  onAnswer?.({
    method: request.method ?? "GET",
    url: request.url ?? "/",
    requestHeaders: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    requestBody: body.length < 1_000_000 ? body.toString("utf8") : "",
    status: reply.status,
    headers,
    body: typeof bytes === "string" ? bytes : "",
  });
  response.writeHead(reply.status, headers);
  response.end(bytes);
}

function replyTo(world: S3World, request: IncomingMessage, body: Buffer): S3Reply {
  try {
    return operate(world, request, body, checkSignature(world, request, body));
  } catch (error) {
    if (!(error instanceof S3Problem)) throw error;
    if (error.code === "NotImplemented") {
      const { method = "GET", url = "/" } = request;
      world.refuse({ kind: "unknown", method, path: url, status: error.status, reason: error.message });
    }
    return problemReply(error, resourceOf(request));
  }
}
