import { useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { Dialog } from "#app/components/dialog.tsx";
import { notify } from "#app/components/toasts.ts";
import { storageCopy as copy } from "#app/copy/storage.ts";
import StorageScreen, { type StorageScreenProps } from "#app/storage/storage-screen.tsx";

/** The query parameter of the return from a storage's page (spec P-008). */
const CONNECTED_QUERY = "isCloudStorageConnected";

/**
 * The storage screen above a platform's list (spec P-048). The storage's page redirects back here, and the outcome is
 * shown (spec P-442).
 */
export default function StorageDialog({ onClose, ...screen }: StorageScreenProps & { onClose: () => void }) {
  const [search, setSearch] = useSearchParams();
  const { isOpen } = screen;
  const isConnected = isOpen && search.get(CONNECTED_QUERY) === "true";
  useEffect(() => {
    if (!isConnected) return;
    notify(copy.toasts.some);
    setSearch(
      (before) => {
        before.delete(CONNECTED_QUERY);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [isConnected, setSearch]);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} size="m" title={copy.title} description={copy.text}>
      <StorageScreen {...screen} />
    </Dialog>
  );
}
