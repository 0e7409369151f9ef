import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { StorageSession } from "#connectors/contract/storage-connector.ts";
import { type BytesApi, callWithBytes } from "#connectors/toolkit/bytes-client.ts";
import { type RouteError, readRefusal, readTags } from "./refusal.ts";

const api: BytesApi = { label: "Dropbox", refusal: readRefusal };

/** The outcome of a call: its result, or a route error that the caller handles. */
export type Outcome<T> = { kind: "result"; value: T } | { kind: "error"; error: RouteError };

/** Calls a route of the host `api`. @throws ConnectorError for errors that `knows` does not accept */
export function callRoute<S extends z.ZodType>(
  session: StorageSession,
  route: string,
  arg: object | null,
  schema: S,
  knows: (error: RouteError) => boolean = () => false,
): Promise<Outcome<z.output<S>>> {
  const headers: Record<string, string> = arg === null ? {} : { "content-type": "application/json" };
  const order = { host: session.config.DROPBOX_API_URL ?? "", route, headers };
  return send(session, { ...order, body: arg === null ? undefined : JSON.stringify(arg) }, schema, knows);
}

/** Sends bytes to a route of the host `content`. @throws ConnectorError for errors that `knows` does not accept */
export function sendBytes<S extends z.ZodType>(
  session: StorageSession,
  route: string,
  { arg, bytes }: { arg: object; bytes: Uint8Array },
  schema: S,
  knows: (error: RouteError) => boolean = () => false,
): Promise<Outcome<z.output<S>>> {
  const headers = {
    "content-type": "application/octet-stream",
    "dropbox-api-arg": asHeader(arg),
  };
  const order = { host: session.config.DROPBOX_CONTENT_URL ?? "", route, headers };
  return send(session, { ...order, body: bytes }, schema, knows);
}

async function send<S extends z.ZodType>(
  session: StorageSession,
  order: {
    host: string;
    route: string;
    headers: Record<string, string>;
    body: string | Uint8Array | undefined;
  },
  schema: S,
  knows: (error: RouteError) => boolean,
): Promise<Outcome<z.output<S>>> {
  const { host, route, headers, body } = order;
  const call = {
    method: "POST",
    url: `${host}/2/${route}`,
    headers,
    ...(body === undefined ? {} : { body }),
    about: "this copy",
    allows: [409],
  } as const;
  const answer = await callWithBytes(session, api, call);
  if (answer.status === 409) {
    const error = readTags(answer.text);
    if (knows(error)) return { kind: "error", error };
    throw readRefusal(answer, call, session.clock.now());
  }
  const parsed = schema.safeParse(readJson(answer.text));
  if (parsed.success) return { kind: "result", value: parsed.data };
  throw new ConnectorError("malformed", "Dropbox's answer about this copy is not of the known form.");
}

/** Header-safe JSON: escapes characters beyond ASCII (dropbox.com/developers/reference/json-encoding). */
function asHeader(arg: object): string {
  return JSON.stringify(arg).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
