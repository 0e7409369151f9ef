import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import type { ErrorCode } from "#core/kernel/error-codes.ts";
import { invariant } from "#core/kernel/invariant.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";
import type { ApiEnv } from "./api-env.ts";
import { answerOnWire, type Fields, fromWire, wireName } from "./dialect.ts";
import { type Answer, successEnvelope } from "./envelope.ts";
import { issueSentence } from "./issue-sentence.ts";
import { assertSameOrigin } from "./middleware/origin.ts";
import { readInput } from "./read-input.ts";

export type Api = OpenAPIHono<ApiEnv> & {
  /** The mounted routes. The OpenAPI document is generated from them on the first request. */
  documented: Route<z.ZodType>[];
};

/** An empty router. */
export function createRouter(): Api {
  return Object.assign(new OpenAPIHono<ApiEnv>(), { documented: [] });
}

/** One API call, with everything that the router, the checks and the OpenAPI document need. */
export type Route<Input extends z.core.$ZodType> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below `base`. A part such as `:id` is a member of the input. */
  path: string;
  /** Defaults to `/api`. */
  base?: "/api" | "/identity";
  summary: string;
  tag: string;
  /** The input schema, in our names. GET reads the query, other methods read a JSON body. */
  input: Input;
  /** Wire names of the input on this path. */
  fields?: Fields;
  /** Wire names of the answer's members on this path. */
  answers?: Fields;
  /** Schema of `result` in a successful answer, in our names. */
  result: z.ZodType;
  /** Members beside `result` in a successful answer. */
  beside?: z.ZodObject;
  /** Error codes in addition to those of every call: input, size, type, origin, session, maintenance. */
  refuses?: readonly ErrorCode[];
  /** True when part of the input may be in the query, in addition to the body. */
  alsoQuery?: boolean;
  /** Overrides the default body limit. */
  maxBodyBytes?: number;
  /** True when a GET changes state (the spec has some). Other methods always do. */
  isStateChanging?: boolean;
} & (
  | {
      isPublic?: false;
      handle: (
        services: Services,
        member: Member,
        input: z.output<Input>,
        c: Context<ApiEnv>,
      ) => Promise<Answer>;
    }
  | {
      /** Needs no session. */
      isPublic: true;
      handle: (
        services: Services,
        member: null,
        input: z.output<Input>,
        c: Context<ApiEnv>,
      ) => Promise<Answer>;
    }
);

/** A route of a table. */
export type MountedRoute = (api: Api) => void;

/** Adds a route with its own input type to a table. */
export function route<Input extends z.core.$ZodType>(definition: Route<Input>): MountedRoute {
  return (api) => mountRoute(api, definition);
}

/** Adds a route to the router and the document. Checks run in this order: session, origin, input. */
export function mountRoute<Input extends z.core.$ZodType>(api: Api, route: Route<Input>): void {
  const fields = route.fields ?? {};
  api.documented.push(route as unknown as Route<z.ZodType>);
  api.on(route.method, pathOf(route), async (c) => {
    const { services, member } = c.var;
    if (!route.isPublic && !member) throw new AppError("err.session.missing");
    if (route.method !== "GET" || route.isStateChanging) {
      c.set("isWrite", true);
      assertSameOrigin(c, { isPublic: route.isPublic === true });
    }
    const wire = withParameters(
      c.req.param(),
      await readInput(c, {
        hasBody: route.method !== "GET",
        alsoQuery: route.alsoQuery === true,
        maxBodyBytes: route.maxBodyBytes,
      }),
    );
    const parsed = await z.safeParseAsync(route.input, fromWire(fields, wire));
    if (!parsed.success) throw invalidInput(parsed.error, fields);
    let answer: Answer;
    if (route.isPublic) answer = await route.handle(services, null, parsed.data, c);
    else {
      invariant(member, "a route behind the session has a member");
      answer = await route.handle(services, member, parsed.data, c);
    }
    return c.json(successEnvelope(inWords(answer, route.answers ?? {})));
  });
}

/** Adds what the path names, such as `:id`. @throws AppError `err.request.invalid` when it is given twice */
function withParameters(parameters: Record<string, string>, wire: unknown): unknown {
  const names = Object.keys(parameters);
  if (names.length === 0 || wire === null || typeof wire !== "object" || Array.isArray(wire)) return wire;
  const twice = names.find((name) => Object.hasOwn(wire, name));
  if (twice !== undefined) throw new AppError("err.request.invalid", { message: `${twice} is given twice.` });
  return { ...wire, ...parameters };
}

/** Renames the answer's members to this path's wire names. */
function inWords({ result, message, beside }: Answer, answers: Fields): Answer {
  return {
    result: answerOnWire(answers, result),
    message,
    beside: answerOnWire(answers, beside ?? {}) as Record<string, unknown>,
  };
}

/** The first validation issue, with the field named as on the wire. */
function invalidInput(error: z.core.$ZodError, fields: Fields): AppError {
  const issue = error.issues[0];
  const path = (issue?.path ?? [])
    .map((part) => (typeof part === "string" ? wireName(fields, part) : String(part)))
    .join(".")
    .slice(0, 100);
  const sentence = issue ? issueSentence(issue, path) : "The request is not allowed.";
  return new AppError("err.request.invalid", {
    message: sentence.slice(0, 300),
    details: { field: path === "" ? null : path },
  });
}

/** The full path of a route. */
export function pathOf({ base = "/api", path }: Pick<Route<z.ZodType>, "base" | "path">): string {
  return `${base}${path}`;
}
