import type { Failure } from "#app/components/error-dialog.tsx";
import type { ItemView } from "#core/inventory/views.ts";

/** The open dialog and its data. */
export type OpenDialog =
  | { kind: "add-items" | "add-place" | "upgrade" | "storage" | "place-guide" }
  | { kind: "delete"; items: readonly ItemView[] }
  | { kind: "restore"; item: ItemView }
  | { kind: "error"; failure: Failure };
