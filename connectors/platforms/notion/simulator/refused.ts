import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Fields } from "./state.ts";

/** Error codes of the API (`@notionhq/client` `APIErrorCode`) and the status that each comes with. */
const STATUS = {
  unauthorized: 401,
  restricted_resource: 403,
  object_not_found: 404,
  rate_limited: 429,
  invalid_json: 400,
  invalid_request_url: 400,
  invalid_request: 400,
  validation_error: 400,
  missing_version: 400,
  conflict_error: 409,
  internal_server_error: 500,
  service_unavailable: 503,
  gateway_timeout: 504,
} as const satisfies Record<string, ContentfulStatusCode>;

export type ErrorCode = keyof typeof STATUS;

/** An error response of the API. */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly status: (typeof STATUS)[ErrorCode];
  readonly additionalData: Fields | undefined;

  constructor(code: ErrorCode, message: string, additionalData?: Fields) {
    super(message);
    this.code = code;
    this.status = STATUS[code];
    this.additionalData = additionalData;
  }
}

/** The usual refusal of a request whose body does not fit. */
export const invalid = (message: string): Refused => new Refused("validation_error", message);
