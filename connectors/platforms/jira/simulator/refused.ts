/** The statuses that Jira refuses with. */
export type RefusedStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422;

/** An error response of Jira: messages, and messages by field. */
export class Refused extends Error {
  readonly status: RefusedStatus;
  readonly body: { errorMessages: string[]; errors: Record<string, string> };

  constructor(status: RefusedStatus, message: string | null, errors: Record<string, string> = {}) {
    super(message ?? JSON.stringify(errors));
    this.status = status;
    this.body = { errorMessages: message === null ? [] : [message], errors };
  }
}

/** A request with a wrong value. */
export function invalid(message: string): Refused {
  return new Refused(400, message);
}

/** Something that is missing or hidden: Jira does not tell the two apart. */
export function missing(message: string): Refused {
  return new Refused(404, message);
}

/** Something that the account may not do. */
export function forbidden(message: string): Refused {
  return new Refused(403, message);
}
