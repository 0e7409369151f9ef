import { writeAccountMail } from "#core/accounts/index.ts";
import { runBackup } from "#core/backups/index.ts";
import { dumpControl } from "#core/dumps/index.ts";
import { runExport } from "#core/exports/index.ts";
import { emptyRemovedConnection, fitPlan, lookForNewItems } from "#core/inventory/index.ts";
import type { JobName, JobPayload } from "#core/jobs/index.ts";
import { sendMail } from "#core/mail/index.ts";
import { removeClosed } from "#core/ownership/index.ts";
import { reportPeople } from "#core/privacy/index.ts";
import { removeLapsed } from "#core/removals/index.ts";
import { removeCopies, runReplicate } from "#core/replicas/index.ts";
import { buildReport } from "#core/reports/index.ts";
import { runRestore } from "#core/restores/index.ts";
import { countSeats } from "#core/seats/index.ts";
import { runDelete, runRepack, runVerify } from "#core/upkeep/index.ts";
import { tendLedger } from "#workers/crons/tend-ledger.ts";
import type { Services } from "#workers/services.ts";

/** The handler of each job. The compiler reports a job without one. */
export const handlers: { [N in JobName]: (services: Services, payload: JobPayload<N>) => Promise<unknown> } =
  {
    "tend-ledger": tendLedger,
    "back-up-item": runBackup,
    "verify-snapshot": runVerify,
    "delete-item": runDelete,
    "repack-item": runRepack,
    "look-for-new-items": lookForNewItems,
    "count-seats": countSeats,
    "report-people": reportPeople,
    "empty-removed-connection": emptyRemovedConnection,
    "fit-plan": fitPlan,
    "remove-lapsed": removeLapsed,
    "remove-closed": removeClosed,
    "dump-control": dumpControl,
    "restore-item": runRestore,
    "build-export": runExport,
    "replicate-version": runReplicate,
    "remove-copies": removeCopies,
    "send-mail": (services, { mailId }) => sendMail(services, mailId),
    "build-report": buildReport,
    "write-account-mail": writeAccountMail,
  };
