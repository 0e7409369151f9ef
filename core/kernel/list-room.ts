/**
 * Limits a list that is stored in one value of a row. The returned function says whether a line still fits and counts
 * it if so. A line that does not fit is not counted, so a shorter one may still fit later.
 */
export function listRoom(most: { lines: number; bytes: number }): (line: object) => boolean {
  let lines = 0;
  let bytes = 0;
  return (line) => {
    const size = Buffer.byteLength(JSON.stringify(line));
    if (lines >= most.lines || bytes + size > most.bytes) return false;
    lines += 1;
    bytes += size;
    return true;
  };
}
