import jsQR from "jsqr";

/** Pixels per module, large enough for the reader to sample. */
const SCALE = 4;

/**
 * Decodes a QR code, drawn as an SVG of dark unit squares, with an independent library. @throws Error when unreadable
 */
export function readQr(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1] ?? 0);
  const side = size * SCALE;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row++) {
      const from = (row * side + Number(x) * SCALE) * 4;
      for (let at = from; at < from + SCALE * 4; at++) if (at % 4 !== 3) pixels[at] = 0;
    }
  }
  const found = jsQR(pixels, side, side);
  if (!found) throw new Error(`No QR code of ${size} modules can be read.`);
  return found.data;
}
