import { type Context, Hono } from "hono";
import { isRegistered, sendBack } from "#connectors/toolkit/simulator/oauth-desk.ts";
import { errorPage, personPage, pickerPage } from "./consent-page.ts";
import { type SignedIn, topOf } from "./consent-parts.ts";
import { issueCode } from "./grants.ts";
import type { NotionWorld } from "./state.ts";

/** Parameters of the address of the consent page. Source: [sdk]. Others are refused. */
const PARAMETERS = ["client_id", "response_type", "owner", "redirect_uri", "state"];
/** What the page's own forms add: who signs in where. */
const OWN = ["place", "page", "decision"];

/** `/v1/oauth/authorize`: a person signs in, chooses a workspace, then pages, and allows or cancels. */
export function consentRoutes(world: NotionWorld): Hono {
  const app = new Hono();
  app.get("/v1/oauth/authorize", (c) => {
    const query = c.req.query();
    const wrong = problemOf(world, query);
    if (wrong !== null) return refused(world, c, wrong);
    const place = placeOf(world, query.place);
    return c.html(place === null ? personPage(world, query) : pickerPage(world, place, query));
  });
  app.post("/v1/oauth/authorize", async (c) => {
    const form = await c.req.parseBody({ all: true });
    const single = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value)]));
    const wrong = problemOf(world, single);
    const { redirect_uri = "", state = "" } = single;
    if (wrong !== null) return refused(world, c, wrong);
    if (single.decision !== "allow")
      return c.redirect(sendBack(redirect_uri, { error: "access_denied", state }), 302);
    const place = placeOf(world, single.place);
    if (place === null) return refused(world, c, "There is no such person or workspace.");
    const chosen = [form.page ?? []].flat().map(String);
    const rootIds = topOf(world, place.workspace).filter((id) => chosen.includes(id));
    const order = { personId: place.person.id, workspaceId: place.workspace.id, rootIds };
    const code = issueCode(world, { ...order, redirectUri: redirect_uri });
    return c.redirect(sendBack(redirect_uri, { code, state }), 302);
  });
  return app;
}

/** Reads the choice of the first page: `login workspaceId`. */
function placeOf({ state }: NotionWorld, place: string | undefined): SignedIn | null {
  const [login, workspaceId] = (place ?? "").split(" ");
  const person = state.people.find((known) => known.login === login);
  const workspace = state.workspaces.find(({ id }) => id === workspaceId);
  const isMember = person && workspace && person.workspaceIds.includes(workspace.id);
  return isMember ? { person, workspace } : null;
}

function problemOf(world: NotionWorld, query: Record<string, string>): string | null {
  const odd = Object.keys(query).find((name) => !PARAMETERS.includes(name) && !OWN.includes(name));
  if (odd !== undefined) return `There is no parameter ${odd}.`;
  if (query.client_id !== world.settings.clientId) return "Missing or invalid client_id.";
  if (!isRegistered(world.settings, query.redirect_uri ?? "")) return "Missing or invalid redirect_uri.";
  if (query.response_type !== "code") return "Missing or invalid response_type.";
  return query.owner === "user" ? null : "Missing or invalid owner.";
}

function refused(world: NotionWorld, c: Context, reason: string): Response | Promise<Response> {
  world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status: 400, reason });
  return c.html(errorPage(reason), 400);
}
