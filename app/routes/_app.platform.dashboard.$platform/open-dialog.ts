import type { Failure } from "#app/components/error-dialog.tsx";
import type { ItemView } from "#core/inventory/views.ts";

/** The open dialog and its data. */
export type OpenDialog =
  | { kind: "add-items" | "add-place" | "upgrade" | "storage" | "place-guide" | "consent-guide" }
  | { kind: "choose-account"; names: readonly string[] }
  | { kind: "delete"; items: readonly ItemView[] }
  | { kind: "restore"; item: ItemView }
  | { kind: "error"; failure: Failure };

/** The width of a dialog, for the frame that stands while the dialogs load. */
export function sizeOf(dialog: OpenDialog | null): "s" | "m" | "l" {
  switch (dialog?.kind) {
    case "restore":
      return "l";
    case "add-items":
    case "storage":
      return "m";
    default:
      return "s";
  }
}
