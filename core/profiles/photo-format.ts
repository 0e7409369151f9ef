import { AppError } from "#core/kernel/app-error.ts";
import { fromBase64Url } from "#core/kernel/crypto.ts";

/** Largest photo in bytes: 1 MB, in decimal units (spec part 1 sections 5 and 9). */
const PHOTO_MAX_BYTES = 1_000_000;
/** Maximum number of pixels: a small file may decompress to more than a browser can hold. */
const PHOTO_MAX_PIXELS = 50_000_000;

/** The accepted formats, as media types. */
export const PHOTO_TYPES = ["image/png", "image/jpeg", "image/bmp"] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

const DECLARED: Readonly<Record<string, PhotoType>> = {
  "image/png": "image/png",
  "image/jpeg": "image/jpeg",
  "image/jpg": "image/jpeg",
  "image/bmp": "image/bmp",
  "image/x-ms-bmp": "image/bmp",
};

const DATA_URL = /^data:(image\/[a-z-]{3,10});base64,([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Reads a photo from a data URL. All bytes must match the declared format: a file that is an image only at its start
 * could be something else to another reader.
 * @throws AppError `err.photo.format`, `err.photo.size`
 */
export function readPhoto(dataUrl: string): { type: PhotoType; bytes: Uint8Array } {
  const match = DATA_URL.exec(dataUrl);
  const type = match && DECLARED[match[1]!.toLowerCase()];
  if (!match || !type) throw new AppError("err.photo.format");
  const bytes = decode(match[2]!);
  if (bytes.length > PHOTO_MAX_BYTES) throw new AppError("err.photo.size");
  const size = MEASURES[type](bytes);
  if (!size || size.width < 1 || size.height < 1) throw new AppError("err.photo.format");
  if (size.width * size.height > PHOTO_MAX_PIXELS) throw new AppError("err.photo.size");
  return { type, bytes };
}

function decode(base64: string): Uint8Array {
  // Padded base 64 comes in groups of four characters; a truncated string does not.
  if (base64.length % 4 !== 0) throw new AppError("err.photo.format");
  try {
    return fromBase64Url(base64);
  } catch (cause) {
    throw new AppError("err.photo.format", { cause });
  }
}

type Size = { width: number; height: number };

/** Returns the size of a structurally complete image, and null for anything else. */
const MEASURES: Record<PhotoType, (bytes: Uint8Array) => Size | null> = {
  "image/png": measurePng,
  "image/jpeg": measureJpeg,
  "image/bmp": measureBmp,
};

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** PNG (W3C PNG section 5): header chunk first, image data, end chunk last and nothing after it. */
function measurePng(bytes: Uint8Array): Size | null {
  if (bytes.length < 8 || PNG_SIGNATURE.some((byte, i) => bytes[i] !== byte)) return null;
  const view = viewOf(bytes);
  let size: Size | null = null;
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const next = at + 12 + length;
    if (next > bytes.length || !/^[A-Za-z]{4}$/.test(name)) return null;
    if ((name === "IHDR") !== (at === 8)) return null;
    if (name === "IHDR") {
      if (length !== 13) return null;
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    }
    if (name === "IDAT") hasData = true;
    if (name === "IEND") return next === bytes.length && length === 0 && hasData ? size : null;
    at = next;
  }
  return null;
}

/** JPEG (ITU T.81 annex B): segments up to the scan, one of them a frame header, and the end marker last. */
function measureJpeg(bytes: Uint8Array): Size | null {
  const last = bytes.length - 2;
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[last] !== 0xff || bytes[last + 1] !== 0xd9) return null;
  const view = viewOf(bytes);
  let size: Size | null = null;
  for (let at = 2; at + 4 <= last; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (length < 2 || at + 2 + length > last) return null;
    if (marker === 0xda) return size && scanEndsOnlyAt(bytes, at + 2 + length, last) ? size : null;
    // Frame headers are C0 to CF without the tables C4, C8 and CC.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && length >= 8) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + length;
  }
  return null;
}

/** True when no end marker comes before the last two bytes. Bytes after it would not belong to the image. */
function scanEndsOnlyAt(bytes: Uint8Array, from: number, last: number): boolean {
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at < last; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === 0xd9) return false;
  }
  return true;
}

/** Windows bitmap: the header gives the file length, the offset of the pixels and the dimensions. */
function measureBmp(bytes: Uint8Array): Size | null {
  if (bytes.length < 54 || bytes[0] !== 0x42 || bytes[1] !== 0x4d) return null;
  const view = viewOf(bytes);
  const pixelsAt = view.getUint32(10, true);
  const headerSize = view.getUint32(14, true);
  if (view.getUint32(2, true) !== bytes.length || pixelsAt >= bytes.length || pixelsAt < 14 + headerSize) {
    return null;
  }
  if (![40, 52, 56, 108, 124].includes(headerSize) || view.getUint16(26, true) !== 1) return null;
  // A negative height means that rows are stored from top to bottom.
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}
