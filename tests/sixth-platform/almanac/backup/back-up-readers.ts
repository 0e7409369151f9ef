import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { almanacClient, paths, siteOf } from "../client.ts";
import { READERS } from "../descriptor.ts";
import { readersSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";

/** Who reads the book. Almanac tells it only to the access of its own; without it the list is not part of a version. */
export const readersPart: BackupStage = {
  id: "readers",
  async *run({ session, order }) {
    const access = session.as(READERS);
    if (access === null) return;
    const path = paths.readers(siteOf(session), order.item.externalId);
    const call = { method: "GET", path, about: "the readers of this book" } as const;
    try {
      const value = await almanacClient(access).request(call, readersSchema);
      yield { type: "reported", kind: "readers", count: 1 };
      yield { type: "record", path: recordPaths.readers, kind: "readers", title: "Readers", value };
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.kind !== "unauthorized") throw error;
      yield { type: "skipped", path: recordPaths.readers, kind: "readers", reason: error.message };
    }
  },
};
