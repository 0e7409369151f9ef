import type { Context, Next } from "hono";
import type { ApiEnv } from "../api-env.ts";
import { connectRedirectUri } from "../connect-redirect-uri.ts";

/** What follows the platform's id in the address of the page. */
const PAGE_SUFFIX = "-approve-hidden";

/**
 * GET /{platform}-approve-hidden?state — where a platform's token page sends the browser back to. The token stands in the
 * fragment, which no server sees: the page takes it out of the address at once and sends it on in a form. It is for
 * platforms alone that know tokens given by hand.
 */
export function approvePage() {
  return async (c: Context<ApiEnv>, next: Next) => {
    const platform = c.req.path.slice(1, -PAGE_SUFFIX.length);
    const connector = c.var.services.connectors.get(platform);
    if (connector?.authoriser.readToken === undefined) return await next();
    const { label } = connector.descriptor;
    const action = new URL(connectRedirectUri(c.var.services.settings.PUBLIC_URL, platform)).pathname;
    return c.html(pageOf({ label, action, nonce: c.var.nonce, state: c.req.query("state") ?? "" }));
  };
}

/**
 * GET /{stage}/{platform}/login-{platform}-callback — the older address of the way back from a consent page. What it
 * brings is taken to the callback; without anything to bring it leads to the platform's list (spec A-059).
 */
export function oldCallback() {
  return async (c: Context<ApiEnv, "/:stage/:platform/:callback">, next: Next) => {
    const { platform, callback } = c.req.param();
    if (callback !== `login-${platform}-callback` || !c.var.services.connectors.has(platform))
      return await next();
    const { code, state, error } = c.req.query();
    if (!code && !error) return c.redirect(`/platform/dashboard/${platform}`);
    const brought = Object.entries({ code, state, error }).filter(
      (pair): pair is [string, string] => !!pair[1],
    );
    return c.redirect(`/connect/${platform}/callback?${new URLSearchParams(brought)}`);
  };
}

type PageFacts = { label: string; action: string; nonce: string; state: string };

function pageOf({ label, action, nonce, state }: PageFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Connecting ${escapeHtml(label)} · Holdfast</title>
<style>body{font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;color-scheme:light dark;margin:16px}</style>
</head>
<body>
<main>
<h1>Connecting ${escapeHtml(label)}</h1>
<p id="said" role="status">This page ends connecting ${escapeHtml(label)}. Begin in Holdfast: <a href="/app-connector">connect an app</a>.</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="state" value="${escapeHtml(state)}">
<input type="hidden" name="code">
<input type="hidden" name="error">
</form>
</main>
<script nonce="${escapeHtml(nonce)}">
(function () {
  var brought = new URLSearchParams(location.hash.slice(1));
  var token = brought.get("token");
  var error = brought.get("error");
  history.replaceState(null, "", location.pathname);
  if (!token && !error) return;
  var form = document.forms[0];
  form.elements.code.value = token || "";
  form.elements.error.value = error || "";
  document.getElementById("said").textContent = "One moment, please.";
  form.submit();
})();
</script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
