import { useRef, useState } from "react";
import { type PercentCrop, ReactCrop } from "react-image-crop";
import "react-image-crop/dist/ReactCrop.css";
import { useRequest } from "#app/api/use-request.ts";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { notify } from "#app/components/toasts.ts";
import { photoCopy as copy, settingsCopy } from "#app/copy/settings.ts";
import { cutOf, MAX_PHOTO_BYTES, middleSquare, type PhotoType } from "./photo.ts";
import { useSettings } from "./settings-context.tsx";

export type ChosenPhoto = { dataUrl: string; type: PhotoType };

/** Crops the selected photo to a square and uploads it (spec ). */
export default function PhotoDialog({
  photo,
  onClose,
  onUnreadable,
}: {
  photo: ChosenPhoto;
  onClose: () => void;
  onUnreadable: () => void;
}) {
  const { ask, patchMe, refreshMe } = useSettings();
  const picture = useRef<HTMLImageElement>(null);
  const [square, setSquare] = useState<PercentCrop>();
  const { isBusy, send } = useRequest();

  async function upload() {
    if (!picture.current || !square) return;
    const avatar = drawSquare(picture.current, square, photo.type);
    await send(async () => {
      const answer = await ask("POST user/add-profile-image", { avatar });
      if (!answer) return;
      patchMe({ picture: answer.result.url });
      notify(settingsCopy.saved);
      onClose();
      await refreshMe();
    });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={copy.title}
      description={copy.description}
      footer={
        <DialogButtons
          label={copy.upload}
          isBusy={isBusy}
          isOff={!square}
          onConfirm={upload}
          onClose={onClose}
        />
      }
    >
      <div className="photo-crop">
        <ReactCrop
          crop={square}
          onChange={(_, percent) => setSquare(percent)}
          aspect={1}
          minWidth={32}
          keepSelection
          ariaLabels={{ cropArea: copy.area, ...dragHandles() }}
        >
          <img
            ref={picture}
            src={photo.dataUrl}
            alt={copy.alt}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setSquare({ unit: "%", ...middleSquare({ width, height }) })
            }
            onError={onUnreadable}
          />
        </ReactCrop>
      </div>
    </Dialog>
  );
}

function dragHandles() {
  const { nw, n, ne, e, se, s, sw, w } = copy.handles;
  return {
    nwDragHandle: nw,
    nDragHandle: n,
    neDragHandle: ne,
    eDragHandle: e,
    seDragHandle: se,
    sDragHandle: s,
    swDragHandle: sw,
    wDragHandle: w,
  };
}

/** The square as a data URL: PNG for a PNG, unless it is too large; otherwise JPEG on white. */
function drawSquare(picture: HTMLImageElement, square: PercentCrop, type: ChosenPhoto["type"]): string {
  const cut = cutOf(square, { width: picture.naturalWidth, height: picture.naturalHeight });
  const canvas = document.createElement("canvas");
  canvas.width = cut.drawn;
  canvas.height = cut.drawn;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser draws nothing");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, cut.x, cut.y, cut.side, cut.side, 0, 0, cut.drawn, cut.drawn);
  const png = type === "image/png" ? canvas.toDataURL("image/png") : null;
  /* Base64 encodes three bytes as four characters. */
  if (png && png.length * 0.75 < MAX_PHOTO_BYTES * 0.9) return png;
  pen.globalCompositeOperation = "destination-over";
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, cut.drawn, cut.drawn);
  return canvas.toDataURL("image/jpeg", 0.9);
}
