/** An error response. Most of Trello's are plain text, a few are JSON. */
export class Refused extends Error {
  readonly status: 400 | 401 | 403 | 404 | 413;
  readonly body: string | Record<string, unknown>;

  constructor(status: Refused["status"], body: Refused["body"]) {
    super(typeof body === "string" ? body : JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}

/** An invalid parameter. */
export function invalid(name: string): Refused {
  return new Refused(400, `invalid value for ${name}`);
}

/** A missing thing. */
export function missing(): Refused {
  return new Refused(404, "The requested resource was not found.");
}

/** Something that this member or token may not do or see. */
export function forbidden(): Refused {
  return new Refused(401, "unauthorized permission requested");
}

/** A reached limit. */
export function tooMany(limit: string): Refused {
  const error = `${limit.replace(/[A-Z.]/g, (sign) => `_${sign.replace(".", "")}`).toUpperCase()}_LIMIT_EXCEEDED`;
  return new Refused(403, { error, message: `The limit ${limit} has been reached.` });
}
