import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { GuideDialog } from "#app/components/guide-dialog.tsx";
import { consentGuideCopy as copy, placeGuideCopy } from "#app/copy/item-dialogs.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import { uis } from "#connectors/registry/descriptors.generated.ts";
import type { ItemListPage } from "./queries.server.ts";

/** Explains how to pick at the platform what is covered, and leads to its consent page (spec P-018). */
export default function ConsentGuideDialog({
  isOpen,
  onClose,
  page: { platform, label, accounts, connection },
}: {
  isOpen: boolean;
  onClose: () => void;
  page: Pick<ItemListPage, "platform" | "label" | "accounts" | "connection">;
}) {
  const isRestricted = useRestricted();
  const guide = uis[platform]?.picking?.guide;
  if (!guide) return null;
  const query = new URLSearchParams({ platform, step: "authorize" });
  if (accounts.length > 1) query.set("account", connection.id);
  return (
    <GuideDialog
      isOpen={isOpen}
      onClose={onClose}
      guide={guide}
      note={placeGuideCopy.note}
      action={
        !isRestricted && (
          <Link className={buttonClass({ variant: "solid" })} to={`/app-connector?${query}`}>
            {copy.open(label)}
          </Link>
        )
      }
    />
  );
}
