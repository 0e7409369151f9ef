import { LoaderCircle } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { notify } from "#app/components/toasts.ts";
import { UpgradeDialog } from "#app/components/upgrade-dialog.tsx";
import { storageCopy as copy } from "#app/copy/storage.ts";
import { storageDescriptors } from "#connectors/registry/storage-descriptors.generated.ts";
import { CopiedPlatforms } from "./copied-platforms.tsx";
import { FailedCopies } from "./failed-copies.tsx";
import { StorageKinds } from "./storage-kinds.tsx";
import { useStorage } from "./use-storage.ts";
import "./storage.css";

export type StorageScreenProps = {
  isOpen: boolean;
  /** The platform whose list opened the screen. Its versions are the first to be copied. */
  platform: string | null;
  timeZone: string;
  now: number;
};

/** The customer's own storage: which one, what is copied there, what failed (spec part 2 sections 3 and 6). */
export default function StorageScreen({ isOpen, ...rest }: StorageScreenProps) {
  return isOpen ? <Storage {...rest} /> : null;
}

function Storage({ platform, timeZone, now }: Omit<StorageScreenProps, "isOpen">) {
  /** The kind whose consent page is open in another tab. */
  const [awaited, setAwaited] = useState<string | null>(null);
  const [isUpgrade, setIsUpgrade] = useState(false);
  const [areOnTheWay, setAreOnTheWay] = useState(false);
  const { overview, failure, refresh } = useStorage(awaited !== null || areOnTheWay);
  const connected = overview?.storages[0] ?? null;
  useEffect(() => {
    const all = Object.values(overview?.platforms ?? {});
    setAreOnTheWay(all.some(({ waiting }) => waiting > 0));
  }, [overview]);

  /* Also announce here what the other tab has connected, because the user returns to this one. */
  const since = useRef(0);
  const connectedAt = connected?.cloudStorageName === awaited ? (connected?.connectedAt ?? 0) : 0;
  useEffect(() => {
    if (awaited === null || connectedAt <= since.current) return;
    setAwaited(null);
    notify(copy.toasts.connected(labelOf(awaited)));
  }, [awaited, connectedAt]);

  if (overview === null) {
    return failure === null ? (
      <p className="row meta" role="status">
        <LoaderCircle className="icon-s spin" aria-hidden />
        {copy.loading}
      </p>
    ) : (
      <Callout tone="bad" action={<Button onClick={() => void refresh()}>{copy.retry}</Button>}>
        {`${copy.failed} ${failure}`}
      </Callout>
    );
  }
  const mine = Object.values(overview.platforms).filter(({ canChange }) => canChange);
  return (
    <div className="storage">
      {awaited !== null && (
        <Callout
          action={
            <Button size="s" onClick={() => setAwaited(null)}>
              {copy.stopWaiting}
            </Button>
          }
        >
          {copy.waiting(labelOf(awaited))}
        </Callout>
      )}
      <StorageKinds
        connected={connected}
        platform={platform}
        isOnPlan={mine.some(({ isOnPlan }) => isOnPlan)}
        timeZone={timeZone}
        now={now}
        onAwait={(kind) => {
          since.current = connected?.connectedAt ?? 0;
          setAwaited(kind);
        }}
        onUpgrade={() => setIsUpgrade(true)}
        onChanged={refresh}
      />
      {connected && (
        <CopiedPlatforms
          key={`${connected.cloudStorageName} ${connected.connectedAt}`}
          kind={connected.cloudStorageName}
          platforms={overview.platforms}
          timeZone={timeZone}
          now={now}
          onUpgrade={() => setIsUpgrade(true)}
          onSaved={refresh}
        />
      )}
      <FailedCopies failed={overview.failed} timeZone={timeZone} now={now} />
      <UpgradeDialog isOpen={isUpgrade} onClose={() => setIsUpgrade(false)} platform={platform} />
    </div>
  );
}

/** The name of a kind of storage. */
function labelOf(kind: string): string {
  return storageDescriptors.find(({ id }) => id === kind)?.label ?? kind;
}
