import { Info, X } from "lucide-react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { storeCookie } from "#app/session/browser-cookie.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { uis } from "#connectors/registry/descriptors.generated.ts";
import type { ItemListPage } from "./queries.server.ts";
import { closedCookie, isReminderDue } from "./reminder.ts";

/** Reminds that a consent covers only what was picked. Closed, it is hidden for a day (spec P-243, P-244). */
export function ReminderBanner({
  page: { platform, reminderClosedAt },
  now,
  onGuide,
}: {
  page: Pick<ItemListPage, "platform" | "reminderClosedAt">;
  now: number;
  /** Opens the guide, which only the owner of the organisation has. */
  onGuide: () => void;
}) {
  const { isOwner } = useShell().member;
  const [closedAt, setClosedAt] = useState(reminderClosedAt);
  const picking = uis[platform]?.picking;
  if (!picking || !isReminderDue(closedAt, now)) return null;
  const close = () => {
    const at = Date.now();
    storeCookie(closedCookie(platform, at));
    setClosedAt(at);
  };
  return (
    <section className="banner banner-info" aria-label={copy.reminder.label}>
      <Info aria-hidden />
      <p>{picking.reminder}</p>
      <span className="banner__acts">
        {isOwner && (
          <Button size="s" onClick={onGuide}>
            {copy.reminder.how}
          </Button>
        )}
        <IconButton label={copy.reminder.close} onClick={close}>
          <X aria-hidden />
        </IconButton>
      </span>
    </section>
  );
}
