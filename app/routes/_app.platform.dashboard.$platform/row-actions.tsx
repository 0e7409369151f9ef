import { Link, useNavigate } from "@remix-run/react";
import { Ellipsis, Eye, RotateCcw, Trash2 } from "lucide-react";
import { IconButton } from "#app/components/icon-button.tsx";
import { Menu } from "#app/components/menu.tsx";
import type { MenuEntry } from "#app/components/menu-frame.tsx";
import { Tooltip } from "#app/components/tooltip.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { roleCopy } from "#app/copy/shared.ts";
import { canSelect } from "#app/items/item-state.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { historyPath, placeNameOf } from "./history-path.ts";
import type { RowFrame } from "./row-frame.ts";

/** Delete, View, Restore (spec P-062 to P-064); a menu on phones. */
export function RowActions({
  item,
  page,
  words,
  actions,
  onOpen,
  isTokenValid,
}: RowFrame & { item: ItemView }) {
  const navigate = useNavigate();
  const path = historyPath(item, words.kind.isSub, placeNameOf(page, item));
  const removeReason = page.canManage ? null : roleCopy.reason;
  const restoreReason = restoreReasonOf(item, { canManage: page.canManage, isTokenValid });
  const remove = () => onOpen({ kind: "delete", items: [item] });
  const restore = () => onOpen({ kind: "restore", item });
  const label = (action: string) => copy.ofItem(action, item.name);
  const entries: MenuEntry[] = [
    { kind: "action", label: copy.view, onSelect: () => navigate(path) },
    { kind: "action", label: copy.restore, isDisabled: restoreReason !== null, onSelect: restore },
    {
      kind: "check",
      label: copy.columns.daily,
      isChecked: item.isDaily,
      isDisabled: !page.canManage || item.status !== "backuped",
      onChange: (isDaily) => actions.setDaily([item], isDaily),
    },
    { kind: "line" },
    { kind: "action", label: copy.remove, isDisabled: removeReason !== null, onSelect: remove },
  ];
  return (
    <div className="row-actions">
      <IconButton label={label(copy.remove)} reason={removeReason} onClick={remove}>
        <Trash2 aria-hidden />
      </IconButton>
      <Tooltip content={label(copy.view)}>
        <Link className="icon-btn" to={path} aria-label={label(copy.view)}>
          <Eye aria-hidden />
        </Link>
      </Tooltip>
      <IconButton label={label(copy.restore)} reason={restoreReason} onClick={restore}>
        <RotateCcw aria-hidden />
      </IconButton>
      <Menu
        align="end"
        entries={entries}
        trigger={
          <button type="button" className="icon-btn phone-only" aria-label={copy.more(item.name)}>
            <Ellipsis aria-hidden />
          </button>
        }
      />
    </div>
  );
}

/**
 * Why an item cannot be restored now (spec P-181); null = it can. Items deleted at the platform can be restored (spec
 * P-184).
 */
export function restoreReasonOf(
  item: ItemView,
  { canManage, isTokenValid }: { canManage: boolean; isTokenValid: boolean },
): string | null {
  if (!canManage) return roleCopy.reason;
  if (!isTokenValid) return copy.reconnectFirst;
  if (item.lastBackupAt === null || item.status === "initialized") return copy.notYet;
  return canSelect(item) ? null : copy.busy;
}
