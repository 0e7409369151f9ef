import { useEffect, useId, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog, lazyDialog } from "#app/components/dialog.tsx";
import { Field } from "#app/components/field.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { notify } from "#app/components/toasts.ts";
import { storageCopy } from "#app/copy/storage.ts";
import type { StorageDescriptor, StorageKeyField } from "#connectors/contract/storage-descriptor.ts";
import { storageUis } from "#connectors/registry/storage-descriptors.generated.ts";
import { areKeysGood, firstKeys, type Keys, keyFault, sentKeys } from "./keys-form-rules.ts";
import { connectByKeys } from "./storage-calls.ts";

const GuideDialog = lazyDialog(() => import("./guide-dialog.tsx"), "m");
const copy = storageCopy.form;

type KeysDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  /** Null when closed. */
  storage: StorageDescriptor | null;
  platform: string | null;
  /** The known settings of the connected storage, without its secret. */
  known: Keys;
  onConnected: () => Promise<void>;
};

/** The form for a storage that is connected by keys (spec P-171). */
export default function KeysDialog(props: KeysDialogProps) {
  const { isOpen, onClose, storage } = props;
  const formId = useId();
  const [isGuide, setIsGuide] = useState(false);
  const form = useKeysForm(props);
  const guide = storage ? storageUis[storage.id]?.guide : undefined;
  return (
    <>
      <Dialog
        isOpen={isOpen}
        onClose={onClose}
        title={storageCopy.connectName(storage?.label ?? "")}
        description={copy.text}
        footer={
          <>
            <Button variant="ghost" onClick={onClose}>
              {copy.cancel}
            </Button>
            <Button
              type="submit"
              form={formId}
              variant="solid"
              isBusy={form.isBusy}
              reason={form.isGood ? null : copy.incomplete}
              onClick={undefined}
            >
              {storageCopy.connect}
            </Button>
          </>
        }
      >
        <form
          method="post"
          id={formId}
          className="storage-form"
          noValidate
          autoComplete="off"
          onSubmit={(event) => {
            event.preventDefault();
            void form.submit();
          }}
        >
          {guide && (
            <button type="button" className="link storage-guide-link" onClick={() => setIsGuide(true)}>
              {copy.guide}
            </button>
          )}
          {form.fields.map((field) => (
            <KeyField key={field.name} field={field} {...form.propsOf(field)} />
          ))}
          {form.refusal !== null && <Callout tone="bad">{form.refusal}</Callout>}
        </form>
      </Dialog>
      {guide && <GuideDialog isOpen={isGuide} onClose={() => setIsGuide(false)} guide={guide} />}
    </>
  );
}

/** State and submission of the form. Opening the dialog resets it. */
function useKeysForm({ isOpen, onClose, storage, platform, known, onConnected }: KeysDialogProps) {
  const [keys, setKeys] = useState<Keys>({});
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { isBusy, refusal, refuse, send } = useRequest();
  const connects = storage?.connects;
  const fields = connects?.by === "keys" ? connects.fields : [];
  const isGood = areKeysGood(fields, keys);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- only reset when the dialog opens
  useEffect(() => {
    if (!isOpen) return;
    setKeys(firstKeys(fields, known));
    setLeft(new Set());
    refuse(null);
  }, [isOpen]);

  async function submit() {
    if (connects?.by !== "keys" || isBusy) return;
    setLeft(new Set(fields.map(({ name }) => name)));
    if (!isGood) return;
    await send(async () => {
      const sent = sentKeys(fields, keys);
      await connectByKeys(connects.path, sent, platform);
      // Clear the typed secrets before anything else.
      setKeys({});
      await onConnected();
      notify(storageCopy.toasts.keys(storage?.label ?? "", sent[fields.at(-1)?.name ?? ""] ?? ""));
      onClose();
    });
  }
  const propsOf = ({ name }: StorageKeyField) => ({
    value: keys[name] ?? "",
    isLeft: left.has(name),
    onType: (value: string) => setKeys((before) => ({ ...before, [name]: value })),
    onLeave: () => setLeft((before) => new Set(before).add(name)),
  });
  return { fields, propsOf, isGood, isBusy, refusal, submit };
}

/** One field. Shows its error after blur; "too long" is shown at once. */
function KeyField({
  field,
  value,
  isLeft,
  onType,
  onLeave,
}: {
  field: StorageKeyField;
  value: string;
  isLeft: boolean;
  onType: (value: string) => void;
  onLeave: () => void;
}) {
  const fault = keyFault(field, value);
  const isShown = isLeft || value.trim().length > field.maxLength;
  const errors = isShown && fault !== null ? [fault] : undefined;
  if (field.options) {
    return (
      <SelectField
        label={field.label}
        name={field.name}
        required
        value={value}
        errors={errors}
        onChange={(event) => onType(event.target.value)}
        onBlur={onLeave}
      >
        <option value="" disabled>
          {copy.choose}
        </option>
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {`${option.label} ${option.value}`}
          </option>
        ))}
      </SelectField>
    );
  }
  return (
    <Field
      label={field.label}
      name={field.name}
      type={field.isSecret ? "password" : "text"}
      required
      value={value}
      errors={errors}
      autoComplete={field.isSecret ? "new-password" : "off"}
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onType(event.target.value)}
      onBlur={onLeave}
    />
  );
}
