import type { StorageGuide } from "#connectors/contract/storage-descriptor.ts";

/** A4 in points, with the margin around the text. */
const PAGE = { width: 595, height: 842, margin: 62 } as const;
const FONTS = { plain: "Helvetica", bold: "Helvetica-Bold", code: "Courier" } as const;
type Font = keyof typeof FONTS;

/** One positioned line of text: points from the left and bottom edges of its page. */
type Line = { text: string; font: Font; size: number; x: number; y: number };

/**
 * Widths of Helvetica's characters, starting with the space, in thousandths of the font size (Adobe's metrics of the
 * standard fonts).
 */
const HELVETICA = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/** Bold characters are slightly wider. Breaking a line early does no harm. */
const BOLD_FACTOR = 1.08;
const CODE_WIDTH = 600;

/**
 * A guide as a PDF 1.4 (ISO 32000, the parts needed for text): A4 pages with the standard fonts. Characters outside
 * Latin-1 become question marks.
 */
export function guidePdf(guide: StorageGuide): Uint8Array<ArrayBuffer> {
  const pages = layOut(guide);
  const first = 3 + Object.keys(FONTS).length;
  const pageNumbers = pages.map((_, index) => first + 2 * index);
  const fonts = (Object.keys(FONTS) as Font[]).map((font, index) => `/${font} ${3 + index} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageNumbers.map((number) => `${number} 0 R`).join(" ")}] >>`,
    ...Object.values(FONTS).map(
      (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
    ),
    ...pages.flatMap((lines, index) => {
      const content = lines.map(drawn).join("\n");
      const box = `/MediaBox [0 0 ${PAGE.width} ${PAGE.height}]`;
      const own = `/Contents ${(pageNumbers[index] ?? 0) + 1} 0 R /Resources << /Font << ${fonts} >> >>`;
      return [
        `<< /Type /Page /Parent 2 0 R ${box} ${own} >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
    `<< /Title ${quoted(guide.title)} /Producer (Holdfast) >>`,
  ];
  return latin1(assemble(objects));
}

/** Writes the objects, then the cross-reference table with their offsets. */
function assemble(objects: readonly string[]): string {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  const trailer = `<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  return `${file}xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n${trailer}\nstartxref\n${file.length}\n%%EOF\n`;
}

/** The position of every line, page by page. */
function layOut({ title, text, steps }: StorageGuide): Line[][] {
  const pages: Line[][] = [[]];
  let y: number = PAGE.height - PAGE.margin;
  function write(
    words: string,
    font: Font,
    { size, indent = 0, gap = 0 }: { size: number; indent?: number; gap?: number },
  ) {
    y -= gap;
    const x = PAGE.margin + indent;
    const most = PAGE.width - PAGE.margin - x;
    for (const line of broken(words, most, (part) => widthOf(part, font, size))) {
      y -= size * 1.4;
      if (y < PAGE.margin) {
        pages.push([]);
        y = PAGE.height - PAGE.margin - size;
      }
      pages.at(-1)?.push({ text: line, font, size, x, y });
    }
  }
  write(title, "bold", { size: 20 });
  write(text, "plain", { size: 10.5, gap: 6 });
  for (const [index, step] of steps.entries()) {
    write(`${index + 1}.  ${step.title}`, "bold", { size: 12, gap: 16 });
    write(step.text, "plain", { size: 10.5, indent: 20, gap: 2 });
    for (const [row, code] of (step.code?.split("\n") ?? []).entries()) {
      write(code, "code", { size: 8.5, indent: 20, gap: row === 0 ? 6 : 0 });
    }
  }
  return pages;
}

/**
 * Breaks text into lines of at most the given width. Keeps leading spaces of code. A word that is too long overflows.
 */
function broken(text: string, most: number, widthOf: (part: string) => number): string[] {
  const [lead = ""] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = lead;
  for (const word of text.slice(lead.length).split(" ")) {
    const longer = line.trim() === "" ? line + word : `${line} ${word}`;
    if (line.trim() !== "" && widthOf(longer) > most) {
      lines.push(line);
      line = lead + word;
    } else line = longer;
  }
  return [...lines, line];
}

function widthOf(text: string, font: Font, size: number): number {
  if (font === "code") return (text.length * CODE_WIDTH * size) / 1000;
  const sum = [...text].reduce((total, sign) => total + (HELVETICA[sign.charCodeAt(0) - 32] ?? 556), 0);
  return (sum * size * (font === "bold" ? BOLD_FACTOR : 1)) / 1000;
}

function drawn({ text, font, size, x, y }: Line): string {
  return `BT /${font} ${size} Tf ${x} ${y.toFixed(1)} Td ${quoted(text)} Tj ET`;
}

/** A PDF string: brackets and backslashes escaped, one byte per character. */
function quoted(text: string): string {
  const known = text.replace(/[^\x20-\x7e\xa0-\xff]/gu, "?");
  return `(${known.replace(/[\\()]/g, "\\$&")})`;
}

function latin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
