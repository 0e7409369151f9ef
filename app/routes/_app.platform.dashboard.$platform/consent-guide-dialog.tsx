import { ArrowUpRight } from "lucide-react";
import { connectUrl } from "#app/accounts/account-calls.ts";
import { Button } from "#app/components/button.tsx";
import { GuideDialog } from "#app/components/guide-dialog.tsx";
import { consentGuideCopy as copy, placeGuideCopy } from "#app/copy/item-dialogs.ts";
import { useLeaveFor } from "#app/embedding/use-leave-for.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import { uis } from "#connectors/registry/descriptors.generated.ts";
import type { ItemListPage } from "./queries.server.ts";

/** Explains how to pick at the platform what is covered, and opens its consent page for the account (spec P-018). */
export function ConsentGuideDialog({
  isOpen,
  onClose,
  page: { platform, label, connection },
}: {
  isOpen: boolean;
  onClose: () => void;
  page: Pick<ItemListPage, "platform" | "label" | "connection">;
}) {
  const isRestricted = useRestricted();
  const { leave, isBusy, refusal } = useLeaveFor();
  const guide = uis[platform]?.picking?.guide;
  if (!guide) return null;
  const choose = () => leave(() => connectUrl({ platform, connectionId: connection.id }));
  return (
    <GuideDialog
      isOpen={isOpen}
      onClose={onClose}
      guide={guide}
      note={refusal ?? placeGuideCopy.note}
      action={
        !isRestricted && (
          <Button variant="solid" isBusy={isBusy} onClick={choose}>
            {copy.open(label)}
            <ArrowUpRight aria-hidden />
          </Button>
        )
      }
    />
  );
}
