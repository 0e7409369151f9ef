import { useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog, lazyDialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { notify } from "#app/components/toasts.ts";
import { storageCopy as copy } from "#app/copy/storage.ts";
import { useMainSite } from "#app/embedding/use-main-site.ts";
import { dateTimeText } from "#app/format/dates.ts";
import type { StorageDescriptor } from "#connectors/contract/storage-descriptor.ts";
import { storageDescriptors, storageUis } from "#connectors/registry/storage-descriptors.generated.ts";
import type { ConnectedStorage } from "./storage-calls.ts";
import { disconnectStorage, storageConsentUrl } from "./storage-calls.ts";

const KeysDialog = lazyDialog(() => import("./keys-dialog.tsx"));

export type StorageKindsProps = {
  connected: ConnectedStorage | null;
  platform: string | null;
  /** A platform that the user manages has external storage in its plan. */
  isOnPlan: boolean;
  timeZone: string;
  now: number;
  /** Called when the user is sent to the storage's page in another tab. */
  onAwait: (kind: string) => void;
  onUpgrade: () => void;
  onChanged: () => Promise<void>;
};

/** Every kind of storage with its one action: connect, reconnect or disconnect. */
export function StorageKinds(props: StorageKindsProps) {
  const { connected, platform, isOnPlan, timeZone, now, onChanged } = props;
  const [form, setForm] = useState<StorageDescriptor | null>(null);
  const [leaving, setLeaving] = useState<StorageDescriptor | null>(null);
  const { busy, refusal, connect, disconnect } = useStorageActs(props, setForm);
  return (
    <section className="stack" aria-label={copy.kinds}>
      {refusal !== null && <Callout tone="bad">{refusal}</Callout>}
      {connected?.trouble && (
        <Callout tone={connected.isActive ? "warn" : "bad"}>
          <p>
            {connected.trouble.text} {copy.troubleSince(dateTimeText(connected.trouble.since, timeZone, now))}{" "}
            {copy.failures.kept}
          </p>
        </Callout>
      )}
      <ul className="platform-lines">
        {storageDescriptors.map((storage) => (
          <StorageLine
            key={storage.id}
            storage={storage}
            connected={connected?.cloudStorageName === storage.id ? connected : null}
            isBusy={busy === storage.id}
            isOnPlan={isOnPlan}
            timeZone={timeZone}
            now={now}
            onConnect={() => void connect(storage)}
            onDisconnect={() => setLeaving(storage)}
          />
        ))}
      </ul>
      <KeysDialog
        isOpen={form !== null}
        onClose={() => setForm(null)}
        storage={form}
        platform={platform}
        known={connected?.details ?? {}}
        onConnected={onChanged}
      />
      <DisconnectDialog
        storage={leaving}
        name={connected?.name ?? ""}
        isBusy={busy !== null}
        onClose={() => setLeaving(null)}
        onConfirm={(storage) => void disconnect(storage).finally(() => setLeaving(null))}
      />
    </section>
  );
}

/** Connects and disconnects a storage. One that uses keys opens its form instead. */
function useStorageActs(
  { connected, platform, isOnPlan, onAwait, onUpgrade, onChanged }: StorageKindsProps,
  openForm: (storage: StorageDescriptor) => void,
) {
  const { isBusy, refusal, refuse, send } = useRequest();
  const openMainSite = useMainSite();
  const [storageId, setStorageId] = useState<string | null>(null);

  async function connect(storage: StorageDescriptor) {
    refuse(null);
    if (connected && connected.cloudStorageName !== storage.id) return refuse(copy.oneOnly);
    if (!isOnPlan) return onUpgrade();
    if (storage.connects.by === "keys") return openForm(storage);
    if (openMainSite) return openMainSite();
    /* Open the tab during the click, otherwise the browser blocks it as a popup. Its URL is fetched meanwhile. */
    const tab = window.open("", "_blank");
    if (tab === null) return refuse(copy.blocked(storage.label));
    tab.opener = null;
    setStorageId(storage.id);
    await send(async () => {
      try {
        tab.location.replace(await storageConsentUrl(storage.id, platform));
        onAwait(storage.id);
      } catch (cause) {
        tab.close();
        throw cause;
      }
    });
  }

  async function disconnect(storage: StorageDescriptor) {
    setStorageId(storage.id);
    await send(async () => {
      await disconnectStorage(storage.id);
      await onChanged();
      notify(copy.toasts.disconnected(storage.label));
    });
  }

  return { busy: isBusy ? storageId : null, refusal, connect, disconnect };
}

function DisconnectDialog({
  storage,
  name,
  isBusy,
  onClose,
  onConfirm,
}: {
  /** Null when closed. */
  storage: StorageDescriptor | null;
  name: string;
  isBusy: boolean;
  onClose: () => void;
  onConfirm: (storage: StorageDescriptor) => void;
}) {
  return (
    <Dialog
      isOpen={storage !== null}
      onClose={onClose}
      title={copy.disconnecting.title(storage?.label ?? "")}
      footer={
        <DialogButtons
          variant="danger"
          label={copy.disconnect}
          isBusy={isBusy}
          onConfirm={() => storage && onConfirm(storage)}
          onClose={onClose}
        />
      }
    >
      <p>{copy.disconnecting.text(name)}</p>
    </Dialog>
  );
}

function StorageLine({
  storage,
  connected,
  isBusy,
  isOnPlan,
  timeZone,
  now,
  onConnect,
  onDisconnect,
}: {
  storage: StorageDescriptor;
  /** The connected storage, if it is of this kind. */
  connected: ConnectedStorage | null;
  isBusy: boolean;
  isOnPlan: boolean;
  timeZone: string;
  now: number;
  onConnect: () => void;
  onDisconnect: () => void;
}) {
  const Logo = storageUis[storage.id]?.Logo;
  const again = connected && (storage.connects.by === "keys" ? copy.replaceKeys : copy.again);
  return (
    <li>
      <span className="soft">{Logo && <Logo size={24} />}</span>
      <span className="stack-tight">
        <span className="row">
          <span className="medium">{storage.label}</span>
          {connected && (
            <span className={connected.isActive ? "badge badge-ok" : "badge badge-bad"}>
              {connected.isActive ? copy.connected : copy.broken}
            </span>
          )}
        </span>
        <span className="meta">
          {connected
            ? [
                connected.name,
                ...Object.values(connected.details).filter((value) => value !== connected.name),
                copy.since(dateTimeText(connected.connectedAt, timeZone, now)),
              ].join(" · ")
            : storage.summary}
        </span>
      </span>
      <span className="row storage-acts">
        <Button
          size="s"
          variant={connected?.isActive === false ? "solid" : "outline"}
          isBusy={isBusy}
          aria-label={connected ? `${again}: ${storage.label}` : copy.connectName(storage.label)}
          onClick={onConnect}
        >
          {again ?? copy.connect}
          {!connected && !isOnPlan && <span className="badge">{copy.needsPro}</span>}
        </Button>
        {connected && (
          <Button
            size="s"
            variant="ghost"
            aria-label={`${copy.disconnect} ${storage.label}`}
            aria-disabled={!connected.canDisconnect}
            title={connected.canDisconnect ? undefined : copy.notAllowed}
            aria-description={connected.canDisconnect ? undefined : copy.notAllowed}
            onClick={() => connected.canDisconnect && onDisconnect()}
          >
            {copy.disconnect}
          </Button>
        )}
      </span>
    </li>
  );
}
