import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];

/** A small PNG of sky, sun and hills in the given colours, for covers in the demo. */
export function paintPicture({ sky, land }: { sky: Colour; land: Colour }): Uint8Array {
  const width = 320;
  const height = 160;
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const hill = 96 + 18 * Math.sin(x / 37) + 11 * Math.sin(x / 13 + 2);
      const isSun = (x - 236) ** 2 + (y - 48) ** 2 < 22 ** 2;
      const shade = y > hill ? 1 - (y - hill) / 260 : 0.72 + (0.28 * y) / height;
      const colour: Colour = y > hill ? land : isSun ? [255, 226, 150] : sky;
      const at = y * (1 + width * 3) + 1 + x * 3;
      for (const [index, part] of colour.entries()) rows[at + index] = Math.round(part * shade);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per colour, no alpha.
  header.set([8, 2], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
