import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { DrivePerson, DriveWorld } from "./state.ts";

/** What the middleware hands to the routes. */
export type ApiEnv = { Variables: { person: DrivePerson; isAllVisible: boolean } };
/** A route's context. */
export type ApiContext = Context<ApiEnv>;

/** An error as Google's APIs write it. */
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

/** An ordinary refusal. */
export function problem(c: Context, error: DriveError): Response {
  return c.json(errorBody(error), error.status);
}

/** A refusal that the request itself is to blame for, and noted as such. */
export function fault(c: Context, world: DriveWorld, error: DriveError): Response {
  const { method, path } = c.req;
  world.refuse({ kind: "refused", method, path, status: error.status, reason: error.message });
  return problem(c, error);
}

/** A value that a parameter or a field cannot have. */
export function invalid(name: string, message = `Invalid value for: ${name}`): DriveError {
  return { status: 400, reason: "invalid", message, location: { type: "parameter", name } };
}

/** What is not there, and what may not be seen. */
export function fileNotFound(id: string): DriveError {
  return {
    status: 404,
    reason: "notFound",
    message: `File not found: ${id}.`,
    location: { type: "parameter", name: "fileId" },
  };
}

/** No room is left. */
export const QUOTA_EXCEEDED: DriveError = {
  status: 403,
  reason: "storageQuotaExceeded",
  message: "The user's Drive storage quota has been exceeded.",
  domain: "usageLimits",
};
