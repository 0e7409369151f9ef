import type { MessageData, MessageName } from "./messages/index.ts";

/** 3 November 2026, 09:00 UTC. */
const AT = Date.UTC(2026, 10, 3, 9);

const tally = (succeeded: number, partial: number, failed: number) => ({ succeeded, partial, failed });

/** Sample data for every message. */
export const samples: { [N in MessageName]: MessageData<N> } = {
  "zip-ready": {
    itemName: "api-gateway",
    takenAt: AT,
    url: "https://app.example.test/d/1",
    expiresAt: AT,
    timeZone: "UTC",
  },
  "restore-finished": {
    itemName: "api-gateway",
    takenAt: AT,
    restored: { name: "api-gateway_restored", url: "https://github.com/octo/api-gateway_restored" },
    errorText: null,
    missing: 0,
    missingLines: [],
    notes: 2,
    historyUrl: "https://app.example.test/h",
    timeZone: "Europe/Berlin",
  },
  "alarm-raised": {
    platformLabel: "GitHub",
    items: [{ name: "api", sentences: ["412 of 980 issues are gone."], url: "https://app.example.test/h" }],
    more: 0,
  },
  "backup-failed": {
    platformLabel: "GitHub",
    itemName: "api",
    failedAt: AT,
    errorText: "No.",
    lastGoodAt: null,
    historyUrl: "https://app.example.test/h",
    timeZone: "UTC",
  },
  "connection-lost": {
    platformLabel: "GitHub",
    accountName: "octo",
    reconnectUrl: "https://app.example.test/c",
    isAppMissing: false,
  },
  "storage-trouble": {
    storageLabel: "AWS S3",
    storageName: "octo-backups",
    text: "The bucket “octo-backups” has no room for this copy (507). It said: QuotaExceeded.",
    mustReconnect: false,
    settingsUrl: "https://app.example.test/settings/storage",
  },
  "verify-email": { url: "https://app.example.test/verify-email?content=1.ab&iv=cd" },
  "account-exists": {
    signInUrl: "https://app.example.test/auth/login",
    recoverUrl: "https://app.example.test/auth/password-recovery",
  },
  "account-code": { code: "402917", minutes: 15, platformLabel: "GitHub", accountName: "octo-org" },
  "recovery-code": { code: "K7QF-2M9X", minutes: 15 },
  "password-changed": {
    changedAt: AT,
    timeZone: "UTC",
    recoverUrl: "https://app.example.test/auth/recovery",
  },
  "two-factor-changed": {
    isEnabled: true,
    changedAt: AT,
    timeZone: "UTC",
    settingsUrl: "https://app.example.test/settings/security",
  },
  "identity-linked": {
    providerLabel: "Google",
    linkedAt: AT,
    timeZone: "UTC",
    recoverUrl: "https://app.example.test/auth/recovery",
  },
  invitation: {
    organisationName: "Example Ltd",
    inviterName: "Ann Example",
    url: "https://app.example.test/invite?email=bo%40example.com&code=ABCD-1234",
    code: "ABCD-1234",
    days: 7,
  },
  "invitation-for-existing": {
    organisationName: "Example Ltd",
    inviterName: "Ann Example",
    url: "https://app.example.test/auth/login",
  },
  report: {
    frequency: "daily",
    periodLabel: "Monday 2 November 2026",
    timeZone: "Europe/Berlin",
    shows: "all",
    platforms: [{ label: "GitHub", backups: tally(12, 1, 2), restores: tally(1, 0, 0) }],
    failures: [
      {
        platformLabel: "GitHub",
        kind: "backup",
        itemName: "api",
        count: 2,
        text: "GitHub did not answer.",
        url: "https://app.example.test/platform/backups/github?id=itm_1",
      },
    ],
    partials: [
      {
        platformLabel: "GitHub",
        kind: "backup",
        itemName: "web",
        count: 1,
        text: "1 part could not be read.",
        url: "https://app.example.test/platform/backups/github?id=itm_2",
      },
    ],
    unlistedCount: 3,
    unfinishedCount: 1,
    overviewUrl: "https://app.example.test/",
    preferencesUrl: "https://app.example.test/settings/reporting",
    unsubscribeUrl: "https://app.example.test/subscribeToMail?content=1.ab&iv=cd",
    oneClickUrl: "https://app.example.test/api/mail/unsubscribe?content=1.ab&iv=cd",
  },
  "contact-request": {
    firstName: "Bo",
    lastName: "Example",
    company: "Example Ltd",
    email: "bo@example.com",
    question: "Can I back up 2000 repositories?\nAnd what would it cost?",
    sentAt: AT,
    signedInAs: null,
  },
  "trial-ending": {
    platformLabel: "GitHub",
    isToday: false,
    endsAt: AT,
    timeZone: "UTC",
    checkoutUrl: "https://app.example.test/checkout",
  },
  "payment-failed": {
    platformLabel: "GitHub",
    cardDigits: "4242",
    nextAttemptAt: AT,
    backupsStopAt: AT,
    timeZone: "UTC",
    payUrl: "https://app.example.test/subscriptions",
  },
  "card-expiring": {
    brand: "visa",
    digits: "4242",
    month: 12,
    year: 2026,
    changeUrl: "https://app.example.test/subscriptions",
  },
  "subscription-ending": {
    platformLabel: "GitHub",
    endsAt: AT,
    timeZone: "UTC",
    keepUrl: "https://app.example.test/subscriptions",
  },
  "removal-ahead": {
    platformLabel: "GitHub",
    keptUntil: AT,
    timeZone: "UTC",
    checkoutUrl: "https://app.example.test/checkout",
  },
};
