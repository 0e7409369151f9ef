import { createHash, createHmac, randomBytes } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";

/** Options of an LFS server, provided by its simulator. */
export type LfsServerOptions = {
  /** Origin of the simulator; files are served below it as if from another host. */
  origin: string;
  /** Folder of a repository's files; may not exist. */
  directoryOf: (repository: string) => string;
};

/** The server side of Git LFS (git-lfs: docs/api) with the `basic` transfer. */
export type LfsServer = {
  /** Answers `POST …/info/lfs/objects/batch`. */
  batch(request: IncomingMessage, response: ServerResponse, door: LfsDoor): Promise<void>;
  /** Answers `POST …/info/lfs/verify`. */
  verify(request: IncomingMessage, response: ServerResponse, door: LfsDoor): Promise<void>;
  /** Answers requests that `isFileRequest` recognises: signed URLs of files. */
  file(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Errors that the batch API returns for certain objects, by oid. */
  refusals: Map<string, { code: number; message: string }>;
  /** Lifetime of a signed URL, in milliseconds; tests shorten it. */
  lifetimeMs: number;
  /** Oids of downloaded files, in order. */
  downloads: string[];
};

/** The repository of a request, and whether the caller may write. */
export type LfsDoor = { repository: string; url: string; mayWrite: boolean };

type BatchOrder = { operation: string; transfers?: string[]; objects: { oid: string; size: number }[] };

const MEDIA_TYPE = "application/vnd.git-lfs+json";
const FILES = "/_lfs/";
const OID = /^[0-9a-f]{64}$/;

/** Whether a request is for a file at its signed URL. */
export function isFileRequest(url: string): boolean {
  return url.startsWith(FILES);
}

/** Stores a file in a folder as an upload would, and returns its oid. */
export function storeLfsFile(directory: string, bytes: Uint8Array): string {
  const oid = createHash("sha256").update(bytes).digest("hex");
  mkdirSync(directory, { recursive: true });
  // Never leave a partial file under its final name.
  writeFileSync(path.join(directory, `${oid}.part`), bytes);
  renameSync(path.join(directory, `${oid}.part`), path.join(directory, oid));
  return oid;
}

/** The text of a pointer. */
export function lfsPointer(oid: string, sizeBytes: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${sizeBytes}\n`;
}

/** Creates the LFS server of a simulated platform. */
export function createLfsServer({ origin, directoryOf }: LfsServerOptions): LfsServer {
  const secret = randomBytes(32);
  const sign = (text: string) => createHmac("sha256", secret).update(text).digest("hex");
  const pathOf = (repository: string, oid: string) => {
    const directory = directoryOf(repository);
    // Git LFS stores `abcd…` as `ab/cd/abcd…`.
    const nested = path.join(directory, oid.slice(0, 2), oid.slice(2, 4), oid);
    return existsSync(nested) ? nested : path.join(directory, oid);
  };

  function addressOf(method: string, repository: string, oid: string) {
    const expires = Date.now() + server.lifetimeMs;
    const proof = sign(`${method} ${repository} ${oid} ${expires}`);
    return {
      href: `${origin}${FILES}${encodeURIComponent(repository)}/${oid}?expires=${expires}&proof=${proof}`,
      expires_at: new Date(expires).toISOString(),
      expires_in: Math.floor(server.lifetimeMs / 1000),
    };
  }

  function answerOf(operation: string, { oid, size }: { oid: string; size: number }, door: LfsDoor) {
    const { repository } = door;
    const refusal = server.refusals.get(oid);
    if (refusal !== undefined) return { oid, size, error: refusal };
    const file = pathOf(repository, oid);
    const isThere = existsSync(file);
    if (operation === "upload") {
      if (isThere) return { oid, size };
      const upload = { ...addressOf("PUT", repository, oid), header: { "x-sim-upload": sign(oid) } };
      const header = { accept: MEDIA_TYPE, authorization: `RemoteAuth ${sign(`verify ${oid}`)}` };
      return { oid, size, actions: { upload, verify: { href: `${door.url}/info/lfs/verify`, header } } };
    }
    if (!isThere) return { oid, size, error: { code: 404, message: "Object does not exist on the server" } };
    return { oid, size, actions: { download: addressOf("GET", repository, oid) } };
  }

  const server: LfsServer = {
    refusals: new Map(),
    lifetimeMs: 3_600_000,
    downloads: [],

    async batch(request, response, door) {
      const order = await readBatch(request, response, door);
      if (order === null) return;
      const objects = order.objects.map((object) => answerOf(order.operation, object, door));
      send(response, 200, { transfer: "basic", objects, hash_algo: "sha256" });
    },

    async verify(request, response, { repository }) {
      const { oid, size } = JSON.parse((await readBody(request)).toString()) as { oid: string; size: number };
      if (request.headers.authorization !== `RemoteAuth ${sign(`verify ${oid}`)}`) {
        return say(response, 401, "Not the proof that was given");
      }
      const file = pathOf(repository, oid);
      if (!existsSync(file) || statSync(file).size !== size) return say(response, 404, "It has not arrived");
      send(response, 200, {});
    },

    async file(request, response) {
      const url = new URL(request.url ?? "/", origin);
      const [repository = "", oid = ""] = url.pathname.slice(FILES.length).split("/").map(decodeURIComponent);
      const method = request.method ?? "GET";
      const expires = Number(url.searchParams.get("expires"));
      const proof = sign(`${method} ${repository} ${oid} ${expires}`);
      if (url.searchParams.get("proof") !== proof || expires < Date.now() || !OID.test(oid)) {
        return say(response, 403, "Request has expired");
      }
      if (method === "PUT") {
        if (request.headers["x-sim-upload"] !== sign(oid))
          return say(response, 403, "Not the header that was given");
        return receiveFile(request, response, { oid, directory: directoryOf(repository) });
      }
      const file = pathOf(repository, oid);
      if (!existsSync(file)) return say(response, 404, "Not found");
      server.downloads.push(oid);
      await sendFile(response, file);
    },
  };
  return server;
}

/** Reads a batch request; null = it is refused, and the response is sent. */
async function readBatch(
  request: IncomingMessage,
  response: ServerResponse,
  { mayWrite }: LfsDoor,
): Promise<BatchOrder | null> {
  const refuse = (status: number, message: string) => {
    say(response, status, message);
    return null;
  };
  const isJson = (name: string) => String(request.headers[name] ?? "").startsWith(MEDIA_TYPE);
  if (!isJson("accept") || !isJson("content-type")) return refuse(406, "Not the media type of LFS");
  const order = JSON.parse((await readBody(request)).toString()) as BatchOrder;
  const isSound =
    ["download", "upload"].includes(order.operation) &&
    order.objects.every(({ oid, size }) => OID.test(oid) && Number.isSafeInteger(size) && size >= 0);
  if (!isSound) return refuse(422, "The question is not of the known form");
  if (order.objects.length > 100) return refuse(413, "Too many objects in one question");
  if (order.operation === "upload" && !mayWrite) return refuse(403, "You may not write here");
  return order;
}

async function receiveFile(
  request: IncomingMessage,
  response: ServerResponse,
  { oid, directory }: { oid: string; directory: string },
): Promise<void> {
  const bytes = await readBody(request);
  if (createHash("sha256").update(bytes).digest("hex") !== oid) {
    return say(response, 400, "The bytes are not those of the name");
  }
  storeLfsFile(directory, bytes);
  send(response, 200, {});
}

async function sendFile(response: ServerResponse, file: string): Promise<void> {
  response.writeHead(200, {
    "Content-Type": "application/octet-stream",
    "Content-Length": statSync(file).size,
  });
  await pipeline(createReadStream(file), response).catch(() => response.destroy());
}

/** The bytes of a stored file. */
export function readLfsFile(directory: string, oid: string): Buffer {
  return readFileSync(path.join(directory, oid));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function say(response: ServerResponse, status: number, message: string): void {
  send(response, status, { message });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": MEDIA_TYPE });
  response.end(JSON.stringify(body));
}
