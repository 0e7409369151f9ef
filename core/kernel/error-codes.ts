/**
 * Every error a user can meet: code on the wire, HTTP status and the sentence shown. Codes that the spec names
 * keep its spelling (spec part 2 section 8); the others follow the same pattern.
 */
export const ERROR_CODES = {
  "err.request.invalid": { status: 400, message: "Something in this request is missing or not allowed." },
  "err.request.too.large": { status: 413, message: "This request is too large." },
  "err.request.origin": { status: 403, message: "This request came from another site and was refused." },
  "err.request.type": { status: 415, message: "Send this request as application/json." },
  "err.request.method": { status: 405, message: "This address does not accept that kind of request." },
  "err.credentials.wrong": { status: 401, message: "The email or password is incorrect. Please try again" },
  "err.credentials.limit": {
    status: 429,
    message: "Too many attempts to sign in. Please wait a quarter of an hour and try again.",
  },
  "err.email.taken": { status: 409, message: "An account with this email already exists. Please sign in." },
  "err.session.missing": { status: 423, message: "Please sign in to continue." },
  "err.role.forbidden": { status: 403, message: "Your role does not allow this action." },
  "err.plan.required": {
    status: 403,
    message: "This feature is only available with a Pro Plan subscription",
  },
  "err.not.found": { status: 404, message: "We could not find what you asked for." },
  "err.platform.unknown": { status: 404, message: "This platform is not known." },
  "err.connection.missing": { status: 409, message: "Connect an account of this platform first." },
  "err.connection.unauthorized": {
    status: 409,
    message:
      "The platform no longer accepts our access. Reconnect the account; nothing that was backed up is lost.",
  },
  "err.connection.state": {
    status: 400,
    message: "This authorisation link has expired or was already used. Please start connecting again.",
  },
  "err.connection.denied": {
    status: 400,
    message: "The authorisation was declined, so nothing was connected.",
  },
  "err.app.missing": {
    status: 409,
    message: "Please install the GitHub app first before your email will be connected to the system",
  },
  "err.user.backup.limit": { status: 429, message: "Backup now was already used for this item today." },
  "err.item.limit": {
    status: 403,
    message:
      "You have reached the backup limit on your current subscription. Upgrade it to protect more items.",
  },
  "err.item.busy": {
    status: 409,
    message: "Please wait until another element has completed its action.",
  },
  "err.snapshot.not.restorable": { status: 409, message: "This version cannot be restored." },
  "err.restore.name": { status: 400, message: "This name cannot be used for the restored item." },
  "err.link.expired": { status: 410, message: "This download link has expired. Please request a new one." },
  "err.link.invalid": { status: 403, message: "This download link is not valid." },
  "err.platform.unavailable": {
    status: 503,
    message: "The platform did not answer as expected. Please try again in a moment.",
  },
  "err.platform.limited": {
    status: 503,
    message: "The platform asks us to wait. Please try again in a few minutes.",
  },
  "err.internal": { status: 500, message: "Something went wrong on our side. Please try again." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
