/**
 * The product as the simulation runs it: entry points, what a person may do, and the actors. It is bundled apart from
 * the world and loaded anew for every deployment, so that nothing in memory survives one.
 */
export { createPerson, createSession } from "#core/accounts/index.ts";
export { checkAudit } from "#core/audit/index.ts";
export { eraseVersion, requestAllBackups, requestBackup } from "#core/backups/index.ts";
export { beginAuthorisation, completeAuthorisation } from "#core/connections/index.ts";
export { openZipDownload, requestZip, zipRange } from "#core/exports/index.ts";
export { addItems, removeItems, setDailyBackup } from "#core/inventory/index.ts";
export { placeOf } from "#core/jobs/index.ts";
export { MailError } from "#core/mail/index.ts";
export { moveOrganisation } from "#core/moves/index.ts";
export { openLedgers } from "#core/placement/index.ts";
export { requestRestores } from "#core/restores/index.ts";
export { verifySnapshot } from "#core/vault/index.ts";
export { findListedManifest, openVault, openVersion } from "#core/versions/index.ts";
export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";
export { onTick } from "#workers/crons/index.ts";
export { consume } from "#workers/queues/consume.ts";
export { handle } from "#workers/queues/handle.ts";
export { buildServices, ledgersFor } from "#workers/services.ts";
