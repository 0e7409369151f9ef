import { timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import type { Call, Endpoint } from "./endpoint.ts";
import { type FaultBody, StripeFault } from "./errors.ts";
import { API_VERSION } from "./events.ts";
import { type FormValue, parseForm } from "./form.ts";
import { fingerprintOf, recall, remember } from "./idempotency.ts";
import { readParams } from "./params.ts";
import { render } from "./render.ts";
import { routes } from "./routes/index.ts";
import type { StripeWorld } from "./state.ts";
import { clockNow, newId } from "./store.ts";
import { runUntil } from "./timeline.ts";

type Answer = { status: number; body: string; isReplayed?: boolean };

const MATCHERS = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`),
  ids: (route.path.match(/\{/g) ?? []).length,
}));

/** Answers a call of `/v1`: key, parameters, idempotency, effect, expanded answer. */
export async function answerCall(world: StripeWorld, c: Context): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const method = c.req.method;
  runUntil(world, clockNow(world), null);
  const sent = method === "GET" ? search.slice(1) : await c.req.text();
  const form = parseForm(method === "DELETE" && sent === "" ? search.slice(1) : sent);
  const answer = answerTo(world, { method, pathname, form, headers: c.req.raw.headers });
  world.save();
  world.deliver();
  return new Response(answer.body, {
    status: answer.status,
    headers: {
      "Content-Type": "application/json",
      "Request-Id": newId("req", 14),
      "Stripe-Version": API_VERSION,
      // A browser calls with the publishable key from the product's page.
      "Access-Control-Allow-Origin": "*",
      ...(answer.isReplayed ? { "Idempotent-Replayed": "true" } : {}),
    },
  });
}

type Request = { method: string; pathname: string; form: Record<string, FormValue>; headers: Headers };

function answerTo(world: StripeWorld, request: Request): Answer {
  const { method, pathname, headers } = request;
  try {
    const key = keyOf(headers);
    const isPublic = isSame(key, world.settings.publishableKey);
    if (!isPublic && !isSame(key, world.settings.secretKey)) throw wrongKey(key);
    const version = headers.get("Stripe-Version");
    if (version !== null && version !== API_VERSION) {
      const message = `Invalid Stripe API version: ${version}. Only ${API_VERSION} is simulated.`;
      throw new StripeFault(400, { type: "invalid_request_error", message }, true);
    }
    const found = findRoute(method, pathname);
    if (found === null) {
      throw new StripeFault(
        404,
        {
          type: "invalid_request_error",
          message: `Unrecognized request URL (${method}: ${pathname}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
        },
        true,
      );
    }
    if (isPublic && !found.route.isPublic) {
      throw new StripeFault(
        401,
        {
          type: "invalid_request_error",
          code: "secret_key_required",
          message: "This API call cannot be made with a publishable API key. Please use a secret API key.",
        },
        true,
      );
    }
    return call(world, request, found, isPublic);
  } catch (error) {
    const fault = asFault(error);
    noteRefusal(world, request, fault);
    return { status: fault.status, body: bodyOf(fault) };
  }
}

type Found = { route: Endpoint; ids: string[] };

function call(world: StripeWorld, request: Request, { route, ids }: Found, isPublic: boolean): Answer {
  const { method, pathname, form } = request;
  const idempotencyKey = method === "POST" ? request.headers.get("Idempotency-Key") : null;
  const fingerprint = fingerprintOf(method, pathname, form);
  const saved = recall(world, idempotencyKey, fingerprint);
  if (saved) return { ...saved, isReplayed: true };
  const params = readParams(route.params, form) as { expand?: string[] };
  const answer = perform(world, request, () => {
    const [id = "", subId = ""] = ids;
    const details: Call<unknown> = {
      ...{ world, params, id, subId, isPublic, url: pathname },
      given: Object.keys(form),
    };
    return render(world, route.handle(details), params.expand ?? []);
  });
  if (!answer.isValidation) remember(world, idempotencyKey, { fingerprint, ...answer });
  return answer;
}

const UNKNOWN_FAILURE: FaultBody = { type: "api_error", message: "An unknown error occurred." };
/** Failures that have a code of their own (docs.stripe.com/error-codes). */
const FAILURES: Readonly<Record<number, FaultBody>> = {
  409: {
    type: "invalid_request_error",
    code: "lock_timeout",
    message:
      "This object cannot be accessed right now because another API request or Stripe process is currently accessing it.",
  },
  429: {
    type: "invalid_request_error",
    code: "rate_limit",
    message:
      "Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.",
  },
};

/** Does what a call asks for, unless an ordered failure comes before or after it. */
function perform(
  world: StripeWorld,
  request: Request,
  act: () => unknown,
): Answer & { isValidation?: boolean } {
  const failure = takeFailure(world, request);
  const failed = (status: number): Answer & { isValidation: boolean } => ({
    status,
    body: bodyOf(new StripeFault(status, FAILURES[status] ?? UNKNOWN_FAILURE)),
    // Neither a conflict nor a limit has executed anything that a key could save.
    isValidation: status === 409 || status === 429,
  });
  if (failure?.when === "before") return failed(failure.status);
  try {
    const body = JSON.stringify(act(), null, 2);
    return failure ? failed(failure.status) : { status: 200, body };
  } catch (error) {
    const fault = asFault(error);
    noteRefusal(world, request, fault);
    return { status: fault.status, body: bodyOf(fault), isValidation: fault.isValidation };
  }
}

function takeFailure(world: StripeWorld, { method, pathname }: Request) {
  const { failures } = world.state;
  const found = failures.find(
    (each) => (each.method ?? method) === method && new RegExp(each.path).test(pathname),
  );
  if (!found) return null;
  found.times -= 1;
  if (found.times <= 0) failures.splice(failures.indexOf(found), 1);
  return found;
}

function asFault(error: unknown): StripeFault {
  if (error instanceof StripeFault) return error;
  throw error;
}

/** Requests that no correct client sends are noted: tests assert that there are none. Declined cards are none of them. */
function noteRefusal(
  world: StripeWorld,
  { method, pathname }: Request,
  { status, body, isValidation }: StripeFault,
): void {
  if (!isValidation && body.type !== "idempotency_error") return;
  const kind = status === 404 ? "unknown" : "refused";
  world.refuse({ kind, method, path: pathname, status, reason: body.message });
}

function bodyOf({ body }: StripeFault): string {
  const doc =
    body.code === undefined
      ? {}
      : { doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll("_", "-")}` };
  return JSON.stringify({ error: { ...body, ...doc } }, null, 2);
}

function findRoute(method: string, pathname: string): Found | null {
  // A path without ids comes before one with them: `invoices/create_preview` is no invoice.
  const fitting = MATCHERS.filter(({ route, pattern }) => route.method === method && pattern.test(pathname));
  const found = fitting.sort((one, other) => one.ids - other.ids)[0];
  if (!found) return null;
  const ids = (found.pattern.exec(pathname)?.slice(1) ?? []).map(decodeURIComponent);
  return { route: found.route, ids };
}

function keyOf(headers: Headers): string {
  const header = headers.get("Authorization") ?? "";
  const [scheme = "", value = ""] = header.split(" ");
  if (scheme.toLowerCase() === "basic") return atob(value).split(":")[0] ?? "";
  return value;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function wrongKey(key: string): StripeFault {
  const message =
    key === ""
      ? "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
      : `Invalid API Key provided: ${key.slice(0, 8)}${"*".repeat(Math.max(0, Math.min(20, key.length - 12)))}${key.slice(-4)}`;
  return new StripeFault(401, { type: "invalid_request_error", message }, true);
}
