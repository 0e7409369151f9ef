import { CircleAlert } from "lucide-react";
import { type ChangeEvent, lazy, Suspense, useId, useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { detailsCopy as copy, photoCopy } from "#app/copy/settings.ts";
import { type PhotoType, photoRefusal, photoType } from "./photo.ts";
import type { ChosenPhoto } from "./photo-dialog.tsx";
import { useSettings } from "./settings-context.tsx";

/** The cropper and its library, loaded when a photo was selected. */
const PhotoDialog = lazy(() => import("./photo-dialog.tsx"));

/** The profile photo and a button to change it. Invalid files are rejected at once, others are cropped first. */
export function PhotoField() {
  const { me } = useSettings();
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [photo, setPhoto] = useState<ChosenPhoto | null>(null);
  const id = useId();

  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0];
    event.target.value = "";
    if (!file) return;
    const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
    const refused = photoRefusal({ size: file.size, head });
    const type = photoType(head);
    setRefusal(refused);
    if (!refused && type) setPhoto({ dataUrl: await dataUrlOf(file, type), type });
  }
  const word = me.picture ? copy.changePhoto : copy.choosePhoto;
  return (
    <div className="photo-field">
      <span className="photo-field__picture">
        {me.picture ? <img src={me.picture} alt={copy.photo} width={72} height={72} /> : initials(me)}
      </span>
      <div className="stack">
        <span className="medium">{copy.photo}</span>
        <div className="row">
          <Button onClick={() => input.current?.click()} aria-describedby={`${id}-hint ${id}-refusal`}>
            {word}
          </Button>
          <span className="meta" id={`${id}-hint`}>
            {copy.photoHint}
          </span>
        </div>
        <span className="field__error" id={`${id}-refusal`} role="alert">
          {refusal && (
            <>
              <CircleAlert className="icon-s" aria-hidden />
              <span>{refusal}</span>
            </>
          )}
        </span>
      </div>
      <input
        ref={input}
        type="file"
        accept=".png,.jpg,.jpeg,.bmp,image/png,image/jpeg,image/bmp"
        className="sr"
        tabIndex={-1}
        aria-label={word}
        onChange={choose}
      />
      {photo && (
        <Suspense fallback={null}>
          <PhotoDialog
            photo={photo}
            onClose={() => setPhoto(null)}
            onUnreadable={() => {
              setPhoto(null);
              setRefusal(photoCopy.unreadable);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The file as a data URL, which the page's content policy allows for images. Its type is taken from its bytes. */
async function dataUrlOf(file: File, type: PhotoType): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([file], { type }));
  });
}

function initials({ name, family_name }: { name: string; family_name: string }): string {
  return `${[...name][0] ?? ""}${[...family_name][0] ?? ""}`.toUpperCase();
}
