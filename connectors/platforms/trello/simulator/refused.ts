/** An answer other than yes. Trello says most of them in plain text, a few as JSON. */
export class Refused extends Error {
  readonly status: 400 | 401 | 403 | 404 | 413;
  readonly body: string | Record<string, unknown>;

  constructor(status: Refused["status"], body: Refused["body"]) {
    super(typeof body === "string" ? body : JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}

/** A parameter that Trello does not take. */
export function invalid(name: string): Refused {
  return new Refused(400, `invalid value for ${name}`);
}

/** What is not there. */
export function missing(): Refused {
  return new Refused(404, "The requested resource was not found.");
}

/** What this member or token may not do, or may not see. */
export function forbidden(): Refused {
  return new Refused(401, "unauthorized permission requested");
}

/** One too many of something. */
export function tooMany(limit: string): Refused {
  const error = `${limit.replace(/[A-Z.]/g, (sign) => `_${sign.replace(".", "")}`).toUpperCase()}_LIMIT_EXCEEDED`;
  return new Refused(403, { error, message: `The limit ${limit} has been reached.` });
}
