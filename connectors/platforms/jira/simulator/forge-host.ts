import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { type ForgeRemote, forgeRemote, type InvokeOrder } from "./forge-remote.ts";
import { createForgeIssuer, type ForgeCaller, type ForgeIssuer } from "./forge-tokens.ts";

/**
 * Jira's page with the Forge app inside, as a browser sees it: a site, in it the app's page of another origin, and in that
 * one the frame of our product. It makes the calls of the app's page and of the hour as Forge does. `?account=` names the
 * person who looks at it, `?site=` the site, `?license=standard|advanced` what the marketplace sold; Forge takes all of them
 * from the session. `?mode=dark` is the person's theme, which a button changes.
 */
export type ForgeHost = {
  /** The Jira site; its page with the app is `/jira/apps/holdfast`. `POST /__tick?site=` makes the call of the hour now. */
  siteUrl: string;
  /** Where the app's page is served. */
  shellUrl: string;
  /** The settings that point the product at it. */
  vars: Record<string, string>;
  stop(): Promise<void>;
};

const HOUR_MS = 60 * 60 * 1000;
const APP_ID = "ari:cloud:ecosystem::app/5d6f3c58-2f0f-4a1e-9c4e-1f0f3b6a7c11";

/** What the app's page may do at Atlassian: no popups, no navigation of the page around it. */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads";

export async function startForgeHost({
  port = 0,
  productUrl,
  jiraUrl,
  files,
}: {
  /** The first of two ports. 0 = any free ones. */
  port?: number;
  productUrl: string;
  /** The simulated Jira, which issues the tokens that Forge passes on. */
  jiraUrl: string;
  /** The files of the app, ready to deploy, by name. Asked for when its page is first opened. */
  files(order: { url: string; appId: string }): Promise<Readonly<Record<string, string>>>;
}): Promise<ForgeHost> {
  const issuer = await createForgeIssuer(APP_ID);
  const here = { siteUrl: "" };
  let built: Promise<Deployed> | undefined;
  const deployed = () => {
    built ??= deploy({ issuer, productUrl, jiraUrl, files });
    return built;
  };
  /** Every site whose page was opened. */
  const installed = new Map<string, ForgeCaller>();
  const hours = setInterval(async () => {
    const { remote } = await deployed();
    await Promise.all([...installed.values()].map((caller) => remote.tick(caller)));
  }, HOUR_MS);
  const shell = await startSimulatorServer(port === 0 ? 0 : port + 1, () => ({
    handle: async (request, response) => {
      await answerShell({ issuer, productUrl, installed, ...(await deployed()), ...here }, request, response);
    },
  }));
  const site = await startSimulatorServer(port, () => ({
    handle: async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://here");
      if (pathname !== "/__tick") return answerSite(shell, request, response);
      const { accountId: _, ...tick } = callerOf(searchParams);
      const lifeMs = searchParams.get("lifeMs");
      const answer = await (await deployed()).remote.tick(tick, lifeMs === null ? undefined : Number(lifeMs));
      response.writeHead(answer.status).end();
    },
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
    stop: async () => {
      clearInterval(hours);
      await Promise.all([site.stop(), shell.stop()]);
    },
  };
}

/** The app as it was deployed. */
type Deployed = { files: Readonly<Record<string, string>>; remote: ForgeRemote };

async function deploy({
  files: filesOf,
  ...order
}: { issuer: ForgeIssuer; productUrl: string; jiraUrl: string } & Pick<
  Parameters<typeof startForgeHost>[0],
  "files"
>): Promise<Deployed> {
  const files = await filesOf({ url: order.productUrl, appId: APP_ID });
  return { files, remote: forgeRemote({ ...order, manifest: files["manifest.yml"] ?? "" }) };
}

const html = (response: ServerResponse, body: string, policy: string, mode: string) =>
  response
    .writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy })
    .end(`<!doctype html><html lang="en" data-color-mode="${mode}"><meta charset="utf-8">${body}</html>`);

/** The Jira site's page. It opens tabs that the app's page asks for, as the bridge's router does, and has a theme. */
function answerSite(shell: SimulatorServer, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search, searchParams } = new URL(request.url ?? "/", "http://here");
  const mode = searchParams.get("mode") === "dark" ? "dark" : "light";
  if (pathname !== "/jira/apps/holdfast") return void response.writeHead(404).end();
  const script = `const page = document.documentElement, app = document.querySelector("iframe");
  const tell = () => app.contentWindow.postMessage({ type: "bridge:mode", mode: page.dataset.colorMode }, ${JSON.stringify(shell.url)});
  addEventListener("message", ({ data, origin }) => {
    if (origin !== ${JSON.stringify(shell.url)}) return;
    if (data?.type === "bridge:new-tab") open(data.url, "_blank", "noopener");
    if (data?.type === "bridge:theming") tell();
  });
  document.querySelector("button").onclick = () => {
    page.dataset.colorMode = page.dataset.colorMode === "dark" ? "light" : "dark";
    tell();
  };`;
  html(
    response,
    `<title>Jira</title><style>body{margin:0;font:14px system-ui}header{padding:12px;border-bottom:1px solid #ddd}
      [data-color-mode=dark]{background:#1f1f21;color:#e2e3e4}header button{float:right}
      iframe{width:100%;height:calc(100vh - 48px);border:0}</style>
      <header>Jira (simulated)<button>Theme</button></header>
      <iframe title="Holdfast backups" sandbox="${SANDBOX}" src="${shell.url}/index.html${escaped(search)}"></iframe>
      <script>${script}</script>`,
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-src ${shell.url}`,
    mode,
  );
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/** What Forge puts before the app's script: the functions that its bridge calls. */
const BRIDGE = `const here = new URLSearchParams(location.search);
window.__bridge = { callBridge: async (name, order) => {
  if (name === "navigate" && order.type === "new-tab") return parent.postMessage({ type: "bridge:new-tab", url: order.url }, "*");
  if (name === "enableTheming") return parent.postMessage({ type: "bridge:theming" }, "*");
  if (name !== "invoke" || order.invokeType !== "ui-remote-fetch") throw new Error("The simulated bridge has no " + name);
  const answer = await fetch("/__invoke?" + here, { method: "POST", body: JSON.stringify(order) });
  return answer.json();
} };
addEventListener("message", ({ data, source }) => {
  if (source === parent && data?.type === "bridge:mode") document.documentElement.dataset.colorMode = data.mode;
});`;

type Shell = {
  issuer: ForgeIssuer;
  productUrl: string;
  siteUrl: string;
  installed: Map<string, ForgeCaller>;
} & Deployed;

async function answerShell(shell: Shell, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://here");
  const file = shell.files[`static/shell${pathname}`];
  if (pathname === "/.well-known/jwks.json") send(response, 200, shell.issuer.jwks);
  else if (pathname === "/__invoke" && request.method === "POST") {
    const caller = { ...callerOf(searchParams), siteUrl: shell.siteUrl };
    const { accountId: _, ...installation } = caller;
    shell.installed.set(caller.cloudId, installation);
    send(response, 200, await invoke(shell.remote, caller, await bodyOf(request)));
  } else if (pathname === "/__bridge.js") script(response, BRIDGE);
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

/** `invokeRemote`: sends the order to the remote, and returns what the bridge makes of the answer. */
async function invoke(remote: ForgeRemote, caller: ForgeCaller, text: string): Promise<object> {
  const answer = await remote.invoke(caller, JSON.parse(text) as InvokeOrder);
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
