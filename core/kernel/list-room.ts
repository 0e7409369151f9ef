/**
 * Counts what goes into a list that stands in one value of a row, and answers of each line whether it still has room.
 * A line that has none leaves the count as it is, so a shorter one after it may have some.
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
