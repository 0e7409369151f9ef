import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** A PNG of stripes in two colours, each `0xrrggbb`. */
export function paintPicture(
  { width, height }: { width: number; height: number },
  [one, other]: [number, number],
): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0, at = 0; y < height; y++) {
    at += 1;
    for (let x = 0; x < width; x++, at += 3) rows.writeUIntBE((x + y) % 40 < 20 ? one : other, at, 3);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      chunk("IHDR", head),
      chunk("IDAT", deflateSync(rows)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
