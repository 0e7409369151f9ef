import type { z } from "zod";
import type { MailContent } from "../mail-content.ts";
import { accountClosed, accountClosedSchema } from "./account-closed.ts";
import { accountCode, accountCodeSchema } from "./account-code.ts";
import { accountExists, accountExistsSchema } from "./account-exists.ts";
import { accountReopened, accountReopenedSchema } from "./account-reopened.ts";
import { alarmRaised, alarmRaisedSchema } from "./alarm-raised.ts";
import { backupFailed, backupFailedSchema } from "./backup-failed.ts";
import { cardExpiring, cardExpiringSchema } from "./card-expiring.ts";
import { connectionLost, connectionLostSchema } from "./connection-lost.ts";
import { contactRequest, contactRequestSchema } from "./contact-request.ts";
import { identityLinked, identityLinkedSchema } from "./identity-linked.ts";
import { invitation, invitationSchema } from "./invitation.ts";
import { invitationForExisting, invitationForExistingSchema } from "./invitation-for-existing.ts";
import { ownershipChanged, ownershipChangedSchema } from "./ownership-changed.ts";
import { passwordChanged, passwordChangedSchema } from "./password-changed.ts";
import { paymentCorrected, paymentCorrectedSchema } from "./payment-corrected.ts";
import { paymentFailed, paymentFailedSchema } from "./payment-failed.ts";
import { recoveryCode, recoveryCodeSchema } from "./recovery-code.ts";
import { removalAhead, removalAheadSchema } from "./removal-ahead.ts";
import { report, reportSchema } from "./report.ts";
import { restoreFinished, restoreFinishedSchema } from "./restore-finished.ts";
import { storageTrouble, storageTroubleSchema } from "./storage-trouble.ts";
import { subscriptionEnding, subscriptionEndingSchema } from "./subscription-ending.ts";
import { trialEnding, trialEndingSchema } from "./trial-ending.ts";
import { twoFactorChanged, twoFactorChangedSchema } from "./two-factor-changed.ts";
import { usersChanged, usersChangedSchema } from "./users-changed.ts";
import { verifyEmail, verifyEmailSchema } from "./verify-email.ts";
import { zipReady, zipReadySchema } from "./zip-ready.ts";

/** All e-mails: the schema of their data and their content. */
export const messages = {
  "zip-ready": { data: zipReadySchema, content: zipReady },
  "restore-finished": { data: restoreFinishedSchema, content: restoreFinished },
  "alarm-raised": { data: alarmRaisedSchema, content: alarmRaised },
  "backup-failed": { data: backupFailedSchema, content: backupFailed },
  "connection-lost": { data: connectionLostSchema, content: connectionLost },
  "storage-trouble": { data: storageTroubleSchema, content: storageTrouble },
  "verify-email": { data: verifyEmailSchema, content: verifyEmail },
  "account-exists": { data: accountExistsSchema, content: accountExists },
  "account-code": { data: accountCodeSchema, content: accountCode },
  "recovery-code": { data: recoveryCodeSchema, content: recoveryCode },
  "password-changed": { data: passwordChangedSchema, content: passwordChanged },
  "two-factor-changed": { data: twoFactorChangedSchema, content: twoFactorChanged },
  "account-closed": { data: accountClosedSchema, content: accountClosed },
  "account-reopened": { data: accountReopenedSchema, content: accountReopened },
  "ownership-changed": { data: ownershipChangedSchema, content: ownershipChanged },
  "identity-linked": { data: identityLinkedSchema, content: identityLinked },
  invitation: { data: invitationSchema, content: invitation },
  "invitation-for-existing": { data: invitationForExistingSchema, content: invitationForExisting },
  report: { data: reportSchema, content: report },
  "contact-request": { data: contactRequestSchema, content: contactRequest },
  "card-expiring": { data: cardExpiringSchema, content: cardExpiring },
  "payment-corrected": { data: paymentCorrectedSchema, content: paymentCorrected },
  "payment-failed": { data: paymentFailedSchema, content: paymentFailed },
  "removal-ahead": { data: removalAheadSchema, content: removalAhead },
  "subscription-ending": { data: subscriptionEndingSchema, content: subscriptionEnding },
  "users-changed": { data: usersChangedSchema, content: usersChanged },
  "trial-ending": { data: trialEndingSchema, content: trialEnding },
} as const;

export type MessageName = keyof typeof messages;
export type MessageData<N extends MessageName> = z.infer<(typeof messages)[N]["data"]>;

/**
 * Builds the content of an e-mail from stored data. @throws ZodError for invalid data, TypeError for an unknown message
 */
export function contentOf(name: string, data: unknown): MailContent {
  const message = Object.hasOwn(messages, name) ? messages[name as MessageName] : null;
  if (!message) throw new TypeError(`there is no message ${name}`);
  return (message.content as (data: unknown) => MailContent)(message.data.parse(data));
}
