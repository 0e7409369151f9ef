import { createRequestHandler } from "@remix-run/cloudflare";
import { hostApps } from "#connectors/registry/host-apps.generated.ts";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { storages } from "#connectors/registry/storages.generated.ts";
import { AppError } from "#core/kernel/app-error.ts";
import * as build from "../build/server/index.js";
import { createApi } from "./api/create-api.ts";
import { assertOwnForm } from "./api/middleware/origin.ts";
import { operations } from "./api/operations.ts";
import { apiPlatformOf } from "./api/platform-endpoints.ts";
import { readForm } from "./api/read-form.ts";
import { downloads } from "./api/routes/downloads.ts";
import { live } from "./api/routes/live.ts";
import { pageDoor } from "./draw-page.ts";
import { formPaths } from "./form-paths.ts";

const screens = createRequestHandler(build, "production");
const takesForm = formPaths(build.routes);

/** All HTTP routes of the product: API, live connection, downloads, screens. */
export const http = createApi({
  core: operations,
  platforms: platforms.map(apiPlatformOf),
  hostApps,
  storages: storages.flatMap(({ connector: { descriptor } }) => {
    const { id, label, connects } = descriptor;
    return connects.by === "keys" ? [{ id, label, path: connects.path, fields: connects.fields }] : [];
  }),
});
http.get("*", async (c, next) => {
  const { services, nonce, requestId } = c.var;
  if (services.settings.MAINTENANCE === "off") return next();
  const page = new Request(new URL("/maintenance", c.req.url), { headers: c.req.raw.headers });
  return screens(page, { services, member: null, nonce, requestId });
});
http.route("/ws", live);
http.route("/", downloads);
http.get("*", pageDoor(screens));
http.all("*", async (c) => {
  assertOwnForm(c);
  if (c.req.method !== "POST" || !takesForm(c.req.path)) throw new AppError("err.request.method");
  const { services, member, nonce, requestId } = c.var;
  const { again } = await readForm(c.req.raw);
  return screens(again, { services, member, nonce, requestId });
});
