/**
 * E-mail: written to an outbox in the same batch as its cause, and sent once by a queue job. Callers name the occasion
 * and provide data; this area decides the wording.
 */
export { createBindingMailer, type SendEmailBinding } from "./binding-mailer.ts";
export { createHttpMailer } from "./http-mailer.ts";
export { absentMailer, MailError, type Mailer, type OutgoingMail } from "./mailer.ts";
export type { MessageData, MessageName } from "./messages/index.ts";
export { pruneMail } from "./prune-mail.ts";
export { type MailOrder, type QueuedMailOrder, type QueueMailDeps, queueMail } from "./queue-mail.ts";
export { requeueMail } from "./requeue-mail.ts";
export { type MailOutcome, sendMail } from "./send-mail.ts";
