import { env } from "cloudflare:workers";
import { inject } from "vitest";
import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import type { LoggedRequest } from "./outside.ts";

/** A file as a simulated storage holds it. */
export type KeptFile = { path: string; sizeBytes: number; sha256: string };

/** A test's own Dropbox or Google Drive, as seen from workerd. */
export type OutsideDrive = {
  url: string;
  /** The settings that point the product at it. */
  vars: Record<string, string>;
  /** Simulates an action of the owner or the passage of time: `/__sim/{kind}/…`. Returns the response body. */
  control<T = unknown>(path: string, body?: unknown): Promise<T>;
  /** Every complete file of a person below our folder. */
  files(login: string): Promise<KeptFile[]>;
  bytes(login: string, path: string): Promise<Uint8Array>;
  fault(order: FaultOrder): Promise<void>;
  clearFaults(): Promise<void>;
  requests(): Promise<LoggedRequest[]>;
  refusals(): Promise<unknown[]>;
  close(): Promise<void>;
};

/** Opens a storage that is connected by consent and redirects to the product under test. */
export async function openDrive(kind: "dropbox" | "google-drive"): Promise<OutsideDrive> {
  const base = inject("outsideUrl");
  const callback = `${env.PUBLIC_URL}/storage/${kind.replace("-", "_")}/callback`;
  const { id, url, vars } = await ask<{ id: string; url: string; vars: Record<string, string> }>(
    "POST",
    `${base}/drives`,
    { kind, callback },
  );
  const sim = `${url}/__sim`;
  return {
    url,
    vars,
    control: (path, body = {}) => ask("POST", `${sim}/${kind}/${path}`, body),
    files: async (login) => (await ask<{ files: KeptFile[] }>("GET", `${sim}/${kind}/files/${login}`)).files,
    bytes: async (login, path) => {
      const query = new URLSearchParams({ path });
      const response = await fetch(`${sim}/${kind}/files/${login}/bytes?${query}`);
      if (!response.ok) throw new Error(await response.text());
      return new Uint8Array(await response.arrayBuffer());
    },
    fault: (order) => ask("POST", `${sim}/faults`, order),
    clearFaults: () => ask("DELETE", `${sim}/faults`),
    requests: async () => (await ask<{ requests: LoggedRequest[] }>("GET", `${sim}/requests`)).requests,
    refusals: async () => (await ask<{ refusals: unknown[] }>("GET", `${sim}/refusals`)).refusals,
    close: () => ask("DELETE", `${base}/drives/${id}`),
  };
}

async function ask<T>(method: string, url: string, body?: unknown): Promise<T> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers: { "content-type": "application/json" }, ...sent });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}
