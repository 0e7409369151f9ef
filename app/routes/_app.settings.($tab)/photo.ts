import { photoCopy as copy } from "#app/copy/settings.ts";

/** Maximum file size in bytes: 1 MB in decimal units, as on the server (spec A-347). */
export const MAX_PHOTO_BYTES = 1_000_000;

/** Maximum side length of the uploaded photo, in pixels. */
export const PHOTO_SIDE = 512;

/** Magic bytes of PNG, JPEG and BMP files (spec A-346). The file's name and type are ignored. */
const FORMATS = {
  "image/png": [0x89, 0x50, 0x4e, 0x47],
  "image/jpeg": [0xff, 0xd8, 0xff],
  "image/bmp": [0x42, 0x4d],
};
export type PhotoType = keyof typeof FORMATS;

/** The format of the first bytes; null for any other format. */
export function photoType(head: Uint8Array): PhotoType | null {
  for (const [type, signature] of Object.entries(FORMATS)) {
    if (signature.every((byte, i) => head[i] === byte)) return type as PhotoType;
  }
  return null;
}

/** Why a selected file is rejected, in the spec's words; null when it can be cropped. */
export function photoRefusal(file: { size: number; head: Uint8Array }): string | null {
  if (photoType(file.head) === null) return copy.wrongFormat;
  return file.size > MAX_PHOTO_BYTES ? copy.tooLarge : null;
}

/** A square in per cent of the picture. */
export type Square = { x: number; y: number; width: number; height: number };

/** The largest centred square of a picture. */
export function middleSquare(picture: { width: number; height: number }): Square {
  const side = Math.min(picture.width, picture.height);
  const width = (100 * side) / picture.width;
  const height = (100 * side) / picture.height;
  return { x: (100 - width) / 2, y: (100 - height) / 2, width, height };
}

/** The pixels to cut out, and the side of the drawn square: at most the cut-out's side and `PHOTO_SIDE`. */
export function cutOf(square: Square, picture: { width: number; height: number }) {
  const side = Math.max(
    1,
    Math.min(
      Math.round((square.width / 100) * picture.width),
      Math.round((square.height / 100) * picture.height),
    ),
  );
  return {
    x: Math.min(Math.round((square.x / 100) * picture.width), picture.width - side),
    y: Math.min(Math.round((square.y / 100) * picture.height), picture.height - side),
    side,
    drawn: Math.min(side, PHOTO_SIDE),
  };
}
