import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";

/** The events of an item's own record, with which its backup begins. */
export function* ownRecord({
  kind,
  ...record
}: {
  kind: string;
  path: string;
  title: string;
  value: Json;
}): Generator<BackupEvent, void> {
  yield { type: "reported", kind, count: 1 };
  yield { type: "record", kind, ...record };
}
