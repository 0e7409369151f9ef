/** An error response of Almanac's API. */
export class Refused extends Error {
  readonly status: 400 | 401 | 403 | 404 | 413;

  constructor(status: Refused["status"], message: string) {
    super(message);
    this.status = status;
  }
}

/** Something that is not there, or that this person may not see. */
export function missing(what: string): Refused {
  return new Refused(404, `There is no such ${what}.`);
}
