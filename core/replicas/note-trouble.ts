import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { CoreServices } from "#core/services.ts";
import { type StorageRow, saveTrouble } from "./storage.store.ts";

/** Remembers with the storage why it does not take or give up files. Passing faults are not worth remembering. */
export async function noteTrouble(s: CoreServices, row: StorageRow, cause: unknown): Promise<void> {
  if (!(cause instanceof ConnectorError)) return;
  switch (cause.kind) {
    case "unauthorized":
    case "forbidden":
    case "gone":
    case "full":
    case "unsupported":
      await saveTrouble(s.control, row, { kind: cause.kind, text: cause.message, now: s.clock.now() });
      return;
    case "rate-limited":
    case "unavailable":
    case "malformed":
      return;
    default:
      return cause.kind satisfies never;
  }
}
