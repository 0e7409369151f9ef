import { DropdownMenu, Tooltip } from "@radix-ui/themes";
import { Link, useNavigate } from "@remix-run/react";
import { Ellipsis, Eye, RotateCcw, Trash2 } from "lucide-react";
import { IconButton } from "#app/components/icon-button.tsx";
import { canSelect } from "#app/components/item-state.ts";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { roleCopy } from "#app/copy/shared.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { historyPath } from "./history-path.ts";
import type { RowFrame } from "./item-table.tsx";

/** Delete, View, Restore (spec P-062 to P-064); one menu on phones. */
export function RowActions({ item, page, words, actions, onOpen }: RowFrame & { item: ItemView }) {
  const navigate = useNavigate();
  const path = historyPath(item, words.kind.isSub);
  const removeReason = page.canManage ? null : roleCopy.reason;
  const restoreReason = restoreReasonOf(item, page.canManage);
  const remove = () => onOpen({ kind: "delete", items: [item] });
  const restore = () => onOpen({ kind: "restore", item });
  const label = (action: string) => copy.ofItem(action, item.name);
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
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger>
          <button type="button" className="icon-btn phone-only" aria-label={copy.more(item.name)}>
            <Ellipsis aria-hidden />
          </button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Content align="end">
          <DropdownMenu.Item onSelect={() => navigate(path)}>{copy.view}</DropdownMenu.Item>
          <DropdownMenu.Item disabled={restoreReason !== null} onSelect={restore}>
            {copy.restore}
          </DropdownMenu.Item>
          <DropdownMenu.CheckboxItem
            checked={item.isDaily}
            disabled={!page.canManage || item.status !== "backuped"}
            onCheckedChange={(isDaily) => actions.setDaily([item], isDaily)}
          >
            {copy.columns.daily}
          </DropdownMenu.CheckboxItem>
          <DropdownMenu.Separator />
          <DropdownMenu.Item disabled={removeReason !== null} onSelect={remove}>
            {copy.remove}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
    </div>
  );
}

/** Why an item cannot be restored now (spec P-181); null = it can. A deleted item can (spec P-184). */
export function restoreReasonOf(item: ItemView, canManage: boolean): string | null {
  if (!canManage) return roleCopy.reason;
  if (item.lastBackupAt === null || item.status === "initialized") return copy.notYet;
  return canSelect(item) ? null : copy.busy;
}
