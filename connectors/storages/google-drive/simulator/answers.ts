import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { DrivePerson, DriveWorld } from "./state.ts";

/** What the middleware passes to the routes. */
export type ApiEnv = { Variables: { person: DrivePerson; isAllVisible: boolean } };
/** A route's context. */
export type ApiContext = Context<ApiEnv>;

/** An error in the form of Google's APIs. */
export type DriveError = {
  status: ContentfulStatusCode;
  reason: string;
  message: string;
  domain?: string;
  location?: { type: "parameter" | "header"; name: string };
};

/** The body of an error. */
export function errorBody({ status, reason, message, domain = "global", location }: DriveError) {
  const where = location === undefined ? {} : { locationType: location.type, location: location.name };
  return { error: { code: status, message, errors: [{ message, domain, reason, ...where }] } };
}

/** Responds with an ordinary error. */
export function problem(c: Context, error: DriveError): Response {
  return c.json(errorBody(error), error.status);
}

/** Responds with an error and logs a refusal, because our code should not send such a request. */
export function fault(c: Context, world: DriveWorld, error: DriveError): Response {
  const { method, path } = c.req;
  world.refuse({ kind: "refused", method, path, status: error.status, reason: error.message });
  return problem(c, error);
}

/** A parameter or field has an invalid value. */
export function invalid(name: string, message = `Invalid value for: ${name}`): DriveError {
  return { status: 400, reason: "invalid", message, location: { type: "parameter", name } };
}

/** The file does not exist or is not visible. */
export function fileNotFound(id: string): DriveError {
  return {
    status: 404,
    reason: "notFound",
    message: `File not found: ${id}.`,
    location: { type: "parameter", name: "fileId" },
  };
}

/** No space is left. */
export const QUOTA_EXCEEDED: DriveError = {
  status: 403,
  reason: "storageQuotaExceeded",
  message: "The user's Drive storage quota has been exceeded.",
  domain: "usageLimits",
};
