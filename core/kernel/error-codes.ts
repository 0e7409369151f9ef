/**
 * Every error a user can meet: code on the wire, HTTP status and sentence. Codes from the specification keep its
 * spelling (spec part 2 section 8); the others follow the same pattern.
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
  "err.credentials.unconfirmed": { status: 403, message: "User is not confirmed" },
  "err.attempts.limit": { status: 429, message: "Too many attempts. Please wait a while and try again." },
  "err.code.invalid": { status: 400, message: "Code is invalid, please check your authenticator" },
  "err.code.expired": { status: 400, message: "Code has expired, please check your authenticator" },
  "err.code.used": { status: 400, message: "Please wait for your app to refresh a new code" },
  "err.challenge.expired": { status: 401, message: "Login session has expired. Reload and start again." },
  "err.two.factor.unproved": { status: 403, message: "Please enter a code of your authenticator first." },
  "err.two.factor.enabled": { status: 409, message: "Two-factor authentication is already on." },
  "err.recovery.code": { status: 400, message: "The verification code is wrong or has expired." },
  "err.link.used": { status: 409, message: "This verification link has already been used" },
  "err.link.purpose": { status: 400, message: "This link is not valid. Please ask for a new one." },
  "err.password.wrong": { status: 400, message: "The old password is not correct." },
  "err.password.absent": {
    status: 409,
    message:
      "This account signs in through another service and has no password. Use password recovery to set one.",
  },
  "err.account.closed": {
    status: 403,
    message: "This account was closed. Only its owner can open it again, by signing in.",
  },
  "err.account.closing": {
    status: 409,
    message: "This account was closed, and its data is being removed. It cannot be opened any more.",
  },
  "err.owner.elsewhere": { status: 409, message: "This person already owns another organisation." },
  "err.federation.failed": {
    status: 400,
    message: "Signing in through the other service did not work. Please start again.",
  },
  "err.federation.domain": { status: 400, message: "Invalid Okta domain" },
  "err.federation.email": {
    status: 409,
    message: "An account with this email already exists. Please sign in with its password.",
  },
  "err.federation.absent": { status: 404, message: "This way of signing in is not set up." },
  "err.federation.unverified": {
    status: 403,
    message: "The other service does not confirm that this email is yours, so it cannot be used to sign in.",
  },
  "err.federation.invited": {
    status: 409,
    message: "You have been invited to an organisation. Please use the link in the invitation email.",
  },
  "err.host.token": { status: 401, message: "This call does not come from the app's host." },
  "err.host.code": {
    status: 403,
    message: "This page was opened too long ago or in another place. Please reload it.",
  },
  "err.invitation.limit": { status: 403, message: "There are no invitations left." },
  "err.invitation.invalid": {
    status: 400,
    message: "This invitation is not valid any more. Please ask for a new one.",
  },
  "err.invitation.exists": { status: 409, message: "This person has already been invited." },
  "err.organisation.nameless": { status: 409, message: "Please give your organisation a name first." },
  "err.role.unknown": { status: 400, message: "This access right is not known." },
  "err.role.plan": {
    status: 403,
    message: "This feature is only available with a Pro Plan subscription",
  },
  "err.photo.format": {
    status: 400,
    message: "Uploaded image must be one of the following formats: PNG, JPG, JPEG and BMP",
  },
  "err.photo.size": { status: 400, message: "Please upload a photo smaller than 1 Mb" },
  "err.payment.method.missing": { status: 409, message: "First you need to add a payment method." },
  // The browser silences this one by its message (spec B-267, B-268).
  "err.payment.method.none": { status: 404, message: "No default payment method for this account" },
  "err.payment.customer": { status: 409, message: "There are no payments of this organisation yet." },
  "err.payment.failed": { status: 402, message: "Stripe payment error" },
  "err.payment.unavailable": {
    status: 503,
    message:
      "The payment service did not answer as expected. Nothing was charged twice. Please try again in a moment.",
  },
  "err.payment.quote": {
    status: 409,
    message: "The price was calculated for something else or some time ago. Please check it again.",
  },
  "err.payment.due": {
    status: 409,
    message: "There is an open invoice for this subscription. Please pay it first.",
  },
  "err.payment.draft": {
    status: 409,
    message:
      "The invoice of the renewal is being written, which takes about an hour. Please make the change after that.",
  },
  "err.payment.disputed": {
    status: 409,
    message:
      "A payment of this subscription is disputed at the bank. You can change it once the bank has decided.",
  },
  "err.payment.returned": {
    status: 409,
    message:
      "The payment for this period was given back. End the subscription, then you can subscribe again.",
  },
  "err.payment.busy": {
    status: 409,
    message: "Another payment for this platform is under way. Please finish it, or wait a minute.",
  },
  "err.plan.active": { status: 409, message: "You trying to subscribe to already active plan" },
  "err.plan.unknown": { status: 400, message: "This plan or quantity is not on offer." },
  "err.coupon.invalid": { status: 400, message: "Your coupon is invalid" },
  "err.company.missing": { status: 409, message: "Please enter the company details first." },
  "err.company.tax": { status: 400, message: "This tax ID is not valid for the country." },
  "err.subscription.state": {
    status: 409,
    message: "This is not possible in the subscription's present state.",
  },
  "err.maintenance": { status: 503, message: "We'll be back very soon" },
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
  "err.connection.unconfirmed": {
    status: 409,
    message: "Please confirm the connected account first: enter the code that we sent by e-mail.",
  },
  "err.connection.exists": {
    status: 409,
    message: "This account is connected already, so nothing was changed.",
  },
  "err.connection.other": {
    status: 409,
    message: "This is not the account that should be connected, so nothing was changed.",
  },
  "err.account.missing": {
    status: 404,
    message: "The app is not installed on an account of this name. Install it there first.",
  },
  "err.account.none": {
    status: 409,
    message: "The consent opens no account that could be protected, so nothing was connected.",
  },
  "err.account.confirmed": { status: 409, message: "This account is confirmed already." },
  "err.account.code": { status: 400, message: "The confirmation code is wrong or has expired." },
  "err.account.token": { status: 400, message: "The platform does not accept this access token." },
  "err.connection.denied": {
    status: 400,
    message: "The authorisation was declined, so nothing was connected.",
  },
  "err.app.missing": {
    status: 409,
    message: "Please install the GitHub app first before your email will be connected to the system",
  },
  "err.app.delay": {
    status: 409,
    message:
      "The app is being set up for this account, which can take a few minutes. You can enter the confirmation code already.",
  },
  "err.storage.unknown": { status: 404, message: "This kind of storage is not known." },
  "err.storage.connected": {
    status: 409,
    message: "You can only connect to one drive. Disconnect to sync to another.",
  },
  "err.storage.missing": { status: 409, message: "No storage of your own is connected." },
  "err.storage.refused": {
    status: 409,
    message: "The storage did not accept what was entered, so nothing was connected.",
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
  "err.version.too.large": {
    status: 413,
    message: "This item has grown beyond what one version can hold. Its earlier versions are kept.",
  },
  "err.version.unreadable": {
    status: 409,
    message: "This part of the version cannot be shown here. The ZIP of the version holds it.",
  },
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
