import { inject } from "vitest";
import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import type { Fingerprint } from "./fingerprint.ts";
import type { ZipVerdict } from "./judge-zip.ts";

export type RepositoryContent = "tiny" | "full" | "empty" | "many-refs" | "sha256";
export type OutsideRepository = { externalId: string; fullName: string };
/** One handled request in the simulator's log. */
export type LoggedRequest = { method: string; path: string; status: number };

/** A test's own GitHub, as seen from workerd. */
export type Outside = {
  webUrl: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  appSlug: string;
  createRepository(name: string, content: RepositoryContent): Promise<OutsideRepository>;
  listRepositories(): Promise<(OutsideRepository & { description: string | null })[]>;
  deleteRepository(externalId: string): Promise<void>;
  /** Refs and objects as read by real git, which also checks them. */
  fingerprint(externalId: string): Promise<Fingerprint>;
  git(repository: string, args: string[]): Promise<string>;
  /** Triggers an action at GitHub: `/__sim/github/…`. */
  control(path: string, body?: unknown): Promise<void>;
  fault(order: FaultOrder): Promise<void>;
  clearFaults(): Promise<void>;
  /** Requests since the log was cleared. */
  requests(): Promise<LoggedRequest[]>;
  forgetRequests(): Promise<void>;
  refusals(): Promise<unknown[]>;
  close(): Promise<void>;
};

/** What every simulator offers: faults to set, and its log. */
function logAndFaults(sim: string) {
  return {
    fault: (order: FaultOrder): Promise<void> => ask("POST", `${sim}/faults`, order),
    clearFaults: (): Promise<void> => ask("DELETE", `${sim}/faults`),
    requests: async () => (await ask<{ requests: LoggedRequest[] }>("GET", `${sim}/requests`)).requests,
    forgetRequests: (): Promise<void> => ask("DELETE", `${sim}/requests`),
    refusals: async () => (await ask<{ refusals: unknown[] }>("GET", `${sim}/refusals`)).refusals,
  };
}

/** Opens a GitHub with people but without repositories. */
export async function openOutside(): Promise<Outside> {
  const base = inject("outsideUrl");
  const { id, ...addresses } = await ask<
    { id: string } & Pick<Outside, "webUrl" | "apiUrl" | "clientId" | "clientSecret" | "appSlug">
  >("POST", `${base}/worlds`);
  const world = `${base}/worlds/${id}`;
  const sim = `${addresses.webUrl}/__sim`;
  return {
    ...addresses,
    createRepository: (name, content) => ask("POST", `${world}/repositories`, { name, content }),
    listRepositories: () => ask("GET", `${world}/repositories`),
    deleteRepository: (externalId) => ask("DELETE", `${world}/repositories/${externalId}`),
    fingerprint: (externalId) => ask("GET", `${world}/repositories/${externalId}`),
    git: async (repository, args) =>
      (await ask<{ output: string }>("POST", `${world}/git`, { repository, args })).output,
    control: (path, body = {}) => ask("POST", `${sim}/github/${path}`, body),
    ...logAndFaults(sim),
    close: () => ask("DELETE", world),
  };
}

/** Publishes the keys of a host that signs its calls. Returns their address. */
export async function publishKeys(jwks: object): Promise<string> {
  const url = `${inject("outsideUrl")}/keys/${crypto.randomUUID()}`;
  await ask("PUT", url, jwks);
  return url;
}

/** A test's own GitLab, as seen from workerd. One base URL serves its web site, OAuth, git and API. */
export type OutsideGitlab = {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Triggers an action at GitLab: `/__sim/gitlab/…`. Returns the response body. */
  control<T = unknown>(path: string, body?: unknown): Promise<T>;
  fault(order: FaultOrder): Promise<void>;
  clearFaults(): Promise<void>;
  /** Requests since the log was cleared. */
  requests(): Promise<LoggedRequest[]>;
  forgetRequests(): Promise<void>;
  refusals(): Promise<unknown[]>;
  close(): Promise<void>;
};

/** Opens a GitLab with people and groups. The demo seed adds projects with content. */
export async function openGitlab(seed: "demo" | "people" = "people"): Promise<OutsideGitlab> {
  const base = inject("outsideUrl");
  const { id, ...addresses } = await ask<
    { id: string } & Pick<OutsideGitlab, "url" | "clientId" | "clientSecret">
  >("POST", `${base}/gitlabs`, { seed });
  const sim = `${addresses.url}/__sim`;
  return {
    ...addresses,
    control: (path, body = {}) => ask("POST", `${sim}/gitlab/${path}`, body),
    ...logAndFaults(sim),
    close: () => ask("DELETE", `${base}/gitlabs/${id}`),
  };
}

/** A test's own Trello, as seen from workerd. */
export type OutsideTrello = {
  url: string;
  /** The settings that point the product at it. */
  vars: Record<string, string>;
  /** Triggers an action at Trello: `/__sim/trello/…`. Returns the response body. */
  control<T = unknown>(path: string, body?: unknown): Promise<T>;
  fault(order: FaultOrder): Promise<void>;
  clearFaults(): Promise<void>;
  /** API requests since the log was cleared. */
  requests(): Promise<LoggedRequest[]>;
  /** Requests to the attachment host since then. */
  downloads(): Promise<LoggedRequest[]>;
  forgetRequests(): Promise<void>;
  refusals(): Promise<unknown[]>;
  close(): Promise<void>;
};

/** Opens a Trello with people and workspaces. The demo seed adds boards with content. */
export async function openTrello(seed: "demo" | "people" = "people"): Promise<OutsideTrello> {
  const base = inject("outsideUrl");
  const { id, url, storageUrl, vars } = await ask<{
    id: string;
    url: string;
    storageUrl: string;
    vars: Record<string, string>;
  }>("POST", `${base}/trellos`, { seed });
  const sim = `${url}/__sim`;
  const logOf = async (at: string) =>
    (await ask<{ requests: LoggedRequest[] }>("GET", `${at}/__sim/requests`)).requests;
  return {
    url,
    vars,
    control: (path, body = {}) => ask("POST", `${sim}/trello/${path}`, body),
    fault: (order) => ask("POST", `${sim}/faults`, order),
    clearFaults: () => ask("DELETE", `${sim}/faults`),
    requests: () => logOf(url),
    downloads: () => logOf(storageUrl),
    forgetRequests: async () => {
      for (const at of [url, storageUrl]) await ask("DELETE", `${at}/__sim/requests`);
    },
    refusals: async () => (await ask<{ refusals: unknown[] }>("GET", `${sim}/refusals`)).refusals,
    close: () => ask("DELETE", `${base}/trellos/${id}`),
  };
}

/** An event on its way to the product, signed. */
export type OutsideEvent = { id: string; type: string; signature: string; body: string };

/** A test's own Stripe, as seen from workerd. Its events wait until the test takes them. */
export type OutsideStripe = {
  url: string;
  /** The settings that point the product at it. */
  vars: Record<string, string>;
  /** Triggers something at Stripe: `/__sim/stripe/…`; without a body it is a GET. Returns the response body. */
  control<T = unknown>(path: string, body?: unknown): Promise<T>;
  /** A call of the API with the secret key, for what support does by hand. */
  api<T = unknown>(method: string, path: string, form?: Record<string, string>): Promise<T>;
  /** A payment method of a test card, as the browser creates it. */
  card(number: string): Promise<string>;
  /** The events since the last call, in order, to post to the product with `Stripe-Signature`. */
  takeEvents(): Promise<OutsideEvent[]>;
  /** Moves the clock to a moment in seconds, where it stands still; everything due until then happens. */
  setClock(at: number): Promise<void>;
  fault(order: FaultOrder): Promise<void>;
  clearFaults(): Promise<void>;
  requests(): Promise<LoggedRequest[]>;
  forgetRequests(): Promise<void>;
  refusals(): Promise<unknown[]>;
  close(): Promise<void>;
};

/** Opens a Stripe account without anything. */
export async function openStripe(): Promise<OutsideStripe> {
  const base = inject("outsideUrl");
  const { id, url, vars } = await ask<{ id: string; url: string; vars: Record<string, string> }>(
    "POST",
    `${base}/stripes`,
  );
  const sim = `${url}/__sim`;
  const call = async <T>(key: string, method: string, path: string, form?: Record<string, string>) => {
    const body = form === undefined ? {} : { body: new URLSearchParams(form) };
    const init = { method, headers: { Authorization: `Bearer ${vars[key]}` }, ...body };
    const response = await fetch(`${url}/v1/${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const control = <T>(path: string, body?: unknown): Promise<T> =>
    ask(body === undefined ? "GET" : "POST", `${sim}/stripe/${path}`, body);
  return {
    url,
    vars,
    control,
    api: (method, path, form) => call("STRIPE_SECRET_KEY", method, path, form),
    card: async (number) => {
      const form = {
        type: "card",
        "card[number]": number,
        "card[exp_month]": "12",
        // Sweeps live for decades.
        "card[exp_year]": "2099",
      };
      const path = "payment_methods";
      return (await call<{ id: string }>("STRIPE_PUBLISHABLE_KEY", "POST", path, form)).id;
    },
    takeEvents: async () => (await control<{ deliveries: OutsideEvent[] }>("webhooks/take", {})).deliveries,
    setClock: (at) => control("clock", { at }),
    ...logAndFaults(sim),
    close: () => ask("DELETE", `${base}/stripes/${id}`),
  };
}

/** A test's own Almanac, the platform of `tests/sixth-platform`, as seen from workerd. */
export type OutsideAlmanac = Omit<OutsideTrello, "downloads">;

/** Opens an Almanac with people and their sites. */
export async function openAlmanac(): Promise<OutsideAlmanac> {
  const base = inject("outsideUrl");
  const { id, url, vars } = await ask<{ id: string; url: string; vars: Record<string, string> }>(
    "POST",
    `${base}/almanacs`,
  );
  const sim = `${url}/__sim`;
  return {
    url,
    vars,
    control: (path, body) => ask(body === undefined ? "GET" : "POST", `${sim}/almanac/${path}`, body),
    ...logAndFaults(sim),
    close: () => ask("DELETE", `${base}/almanacs/${id}`),
  };
}

/** A test's own Jira, as seen from workerd. */
export type OutsideJira = Omit<OutsideTrello, "downloads">;

/** Opens a Jira with people and two sites, and without projects. `callback` is where its consent leads back to. */
export async function openJira(callback: string): Promise<OutsideJira> {
  const base = inject("outsideUrl");
  const { id, url, vars } = await ask<{ id: string; url: string; vars: Record<string, string> }>(
    "POST",
    `${base}/jiras`,
    { callback },
  );
  const sim = `${url}/__sim`;
  return {
    url,
    vars,
    control: (path, body) => ask(body === undefined ? "GET" : "POST", `${sim}/jira/${path}`, body),
    ...logAndFaults(sim),
    close: () => ask("DELETE", `${base}/jiras/${id}`),
  };
}

/** A test's own Notion, as seen from workerd. */
export type OutsideNotion = Omit<OutsideTrello, "downloads">;

/**
 * Opens a Notion with people and two workspaces; those of the demo have pages. `callback` is where its consent leads back
 * to.
 */
export async function openNotion(
  callback: string,
  seed: "demo" | "people" = "people",
): Promise<OutsideNotion> {
  const base = inject("outsideUrl");
  const { id, url, vars } = await ask<{ id: string; url: string; vars: Record<string, string> }>(
    "POST",
    `${base}/notions`,
    { callback, seed },
  );
  const sim = `${url}/__sim`;
  return {
    url,
    vars,
    control: (path, body) => ask(body === undefined ? "GET" : "POST", `${sim}/notion/${path}`, body),
    ...logAndFaults(sim),
    close: () => ask("DELETE", `${base}/notions/${id}`),
  };
}

/** Google and two companies' single sign-on, as seen from workerd. */
export type IdentityProviders = {
  /** The settings that point the product at them. */
  vars: Record<string, string>;
  /** Adds or replaces a person at a provider. */
  putPerson(provider: string, person: object): Promise<void>;
  fault(order: FaultOrder): Promise<void>;
  requests(): Promise<LoggedRequest[]>;
};

/** Opens identity providers that redirect to the callback. They stop when the test run ends. */
export async function openIdentityProviders(callback: string): Promise<IdentityProviders> {
  const base = inject("outsideUrl");
  const { url, vars } = await ask<{ url: string; vars: Record<string, string> }>(
    "POST",
    `${base}/identity-providers`,
    { callback },
  );
  return {
    vars,
    putPerson: (provider, person) => ask("POST", `${url}/__sim/oidc/${provider}/people`, person),
    fault: (order) => ask("POST", `${url}/__sim/faults`, order),
    requests: async () => (await ask<{ requests: LoggedRequest[] }>("GET", `${url}/__sim/requests`)).requests,
  };
}

/** Checks an archive with unzip, Python, bsdtar and git. */
export async function judgeArchive(bytes: Uint8Array): Promise<ZipVerdict> {
  const response = await fetch(`${inject("outsideUrl")}/zip`, {
    method: "POST",
    body: bytes as Uint8Array<ArrayBuffer>,
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/** An object of a simulated bucket. */
export type OutsideObject = {
  key: string;
  size: number;
  etag: string;
  type: string;
  meta: Record<string, string>;
};

/** A test's own S3, as seen from workerd. */
export type OutsideS3 = {
  /** Variables that point the product at it. */
  vars: Record<string, string>;
  /** Simulates an action of the owner: `/__sim/s3/…`. */
  control(path: string, body?: unknown): Promise<void>;
  /** The objects and open uploads of a bucket. */
  bucket(name: string): Promise<{ objects: OutsideObject[]; uploads: { key: string }[] }>;
  bytes(bucket: string, key: string): Promise<Uint8Array>;
  fault(order: FaultOrder): Promise<void>;
  clearFaults(): Promise<void>;
  requests(): Promise<LoggedRequest[]>;
  forgetRequests(): Promise<void>;
  refusals(): Promise<unknown[]>;
  close(): Promise<void>;
};

/** Opens an S3 with the demo's bucket and keys. */
export async function openS3(): Promise<OutsideS3> {
  const base = inject("outsideUrl");
  const { id, url } = await ask<{ id: string; url: string }>("POST", `${base}/s3s`);
  const sim = `${url}/__sim`;
  return {
    vars: { S3_API_URL: url, S3_ADDRESSING: "path" },
    control: (path, body = {}) => ask("POST", `${sim}/s3/${path}`, body),
    bucket: (name) => ask("GET", `${sim}/s3/buckets/${name}`),
    bytes: async (bucket, key) => {
      const response = await fetch(`${sim}/s3/object?${new URLSearchParams({ bucket, key })}`);
      if (!response.ok) throw new Error(await response.text());
      return new Uint8Array(await response.arrayBuffer());
    },
    ...logAndFaults(sim),
    close: () => ask("DELETE", `${base}/s3s/${id}`),
  };
}

async function ask<T>(method: string, url: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "content-type": "application/json" };
  }
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}
