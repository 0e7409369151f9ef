import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { createForgeIssuer, type ForgeCaller, type ForgeIssuer } from "./forge-tokens.ts";

/**
 * Jira's page with the Forge app inside, as a browser sees it: a site, in it the app's page of another origin, and in that
 * one the frame of our product. It signs the calls of the app's page as Forge does. `?account=` names the person who looks at
 * it, `?site=` the site, `?license=standard|advanced` what the marketplace sold; Forge takes all of them from the session.
 */
export type ForgeHost = {
  /** The Jira site; its page with the app is `/jira/apps/holdfast`. */
  siteUrl: string;
  /** Where the app's page is served. */
  shellUrl: string;
  /** The settings that point the product at it. */
  vars: Record<string, string>;
  stop(): Promise<void>;
};

const APP_ID = "ari:cloud:ecosystem::app/5d6f3c58-2f0f-4a1e-9c4e-1f0f3b6a7c11";

/** What the app's page may do at Atlassian: no popups, no navigation of the page around it. */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads";

export async function startForgeHost({
  port = 0,
  productUrl,
  files,
}: {
  /** The first of two ports. 0 = any free ones. */
  port?: number;
  productUrl: string;
  /** The files of the app, ready to deploy, by name. Asked for when its page is first opened. */
  files(order: { url: string; appId: string }): Promise<Readonly<Record<string, string>>>;
}): Promise<ForgeHost> {
  const issuer = await createForgeIssuer(APP_ID);
  const here = { siteUrl: "" };
  let built: Promise<Readonly<Record<string, string>>> | undefined;
  const shell = await startSimulatorServer(port === 0 ? 0 : port + 1, () => ({
    handle: async (request, response) => {
      built ??= files({ url: productUrl, appId: APP_ID });
      await answerShell({ issuer, productUrl, files: await built, ...here }, request, response);
    },
  }));
  const site = await startSimulatorServer(port, () => ({
    handle: (request, response) => answerSite(shell, request, response),
  }));
  here.siteUrl = site.url;
  return {
    siteUrl: site.url,
    shellUrl: shell.url,
    vars: {
      FORGE_APP_ID: APP_ID,
      FORGE_JWKS_URL: `${shell.url}/.well-known/jwks.json`,
      FORGE_SITE_ORIGINS: site.url,
      FORGE_SHELL_ORIGINS: shell.url,
    },
    stop: async () => void (await Promise.all([site.stop(), shell.stop()])),
  };
}

const html = (response: ServerResponse, body: string, policy: string) =>
  response
    .writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy })
    .end(`<!doctype html><html lang="en"><meta charset="utf-8">${body}</html>`);

/** The Jira site's page. It opens tabs that the app's page asks for, as the bridge's router does. */
function answerSite(shell: SimulatorServer, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://here");
  if (pathname !== "/jira/apps/holdfast") return void response.writeHead(404).end();
  const opener = `addEventListener("message", ({ data, origin }) => {
    if (origin === ${JSON.stringify(shell.url)} && data?.type === "bridge:new-tab") open(data.url, "_blank", "noopener");
  });`;
  html(
    response,
    `<title>Jira</title><style>body{margin:0;font:14px system-ui}header{padding:12px;border-bottom:1px solid #ddd}
      iframe{width:100%;height:calc(100vh - 48px);border:0}</style><header>Jira (simulated)</header>
      <iframe title="Holdfast backups" sandbox="${SANDBOX}" src="${shell.url}/index.html${escaped(search)}"></iframe>
      <script>${opener}</script>`,
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-src ${shell.url}`,
  );
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/** What Forge puts before the app's script: the functions that its bridge calls. */
const BRIDGE = `const here = new URLSearchParams(location.search);
window.__bridge = { callBridge: async (name, order) => {
  if (name === "navigate" && order.type === "new-tab") return parent.postMessage({ type: "bridge:new-tab", url: order.url }, "*");
  if (name !== "invoke" || order.invokeType !== "ui-remote-fetch") throw new Error("The simulated bridge has no " + name);
  const answer = await fetch("/__invoke?" + here, { method: "POST", body: JSON.stringify(order) });
  return answer.json();
} };`;

type Shell = {
  issuer: ForgeIssuer;
  productUrl: string;
  siteUrl: string;
  files: Readonly<Record<string, string>>;
};

async function answerShell(shell: Shell, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://here");
  const file = shell.files[`static/shell${pathname}`];
  if (pathname === "/.well-known/jwks.json") send(response, 200, shell.issuer.jwks);
  else if (pathname === "/__invoke" && request.method === "POST")
    send(
      response,
      200,
      await invoke(shell, { ...callerOf(searchParams), siteUrl: shell.siteUrl }, await bodyOf(request)),
    );
  else if (pathname === "/__bridge.js") script(response, BRIDGE);
  else if (file === undefined) response.writeHead(404).end();
  else if (pathname.endsWith(".js")) script(response, file);
  else if (pathname.endsWith(".css")) response.writeHead(200, { "Content-Type": "text/css" }).end(file);
  else {
    const policy = `default-src 'self'; frame-src ${shell.productUrl}; connect-src 'self'`;
    const page = file.replace("<head>", '<head><script src="/__bridge.js"></script>');
    response
      .writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy })
      .end(page);
  }
}

const script = (response: ServerResponse, text: string) =>
  response.writeHead(200, { "Content-Type": "text/javascript" }).end(text);

const send = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));

/** The person and the site of the browser's session at Atlassian. */
function callerOf(query: URLSearchParams): ForgeCaller {
  const cloudId = query.get("site") ?? "11111111-2222-4333-8444-555555555555";
  const edition = query.get("license");
  const capabilitySet = edition === "advanced" ? "capabilityAdvanced" : "capabilityStandard";
  return {
    cloudId,
    installationId: `ari:cloud:ecosystem::installation/${cloudId}`,
    accountId: query.get("account") ?? "712020:nora",
    ...(edition === null ? {} : { license: { active: true, capabilitySet, type: "commercial" } }),
  };
}

/** `invokeRemote`: sends the order to the remote with a token, and returns what the bridge makes of the answer. */
async function invoke(shell: Shell, caller: ForgeCaller, text: string): Promise<object> {
  const order = JSON.parse(text) as { path: string; method?: string; headers?: object; body?: unknown };
  const answer = await fetch(new URL(order.path, shell.productUrl), {
    method: order.method ?? "GET",
    headers: { ...order.headers, Authorization: `Bearer ${await shell.issuer.sign(caller)}` },
    ...(order.body === undefined ? {} : { body: JSON.stringify(order.body) }),
  });
  const body: unknown = await answer.json();
  const { status } = answer;
  const payload = { status, headers: {}, body };
  return answer.ok ? { success: true, payload } : { success: false, error: payload };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
