/**
 * Yields bytes as a `SnapshotView` does: each piece is a copy that becomes invalid when the next one is requested. The
 * pieces cycle through the given sizes.
 */
export async function* lend(
  bytes: Uint8Array,
  sizes: readonly number[],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = Math.min(bytes.length, at + Math.max(1, sizes[turn % sizes.length]!));
    const piece = new Uint8Array(bytes.subarray(at, end));
    yield piece;
    if (!piece.buffer.detached) piece.buffer.transfer(0);
    at = end;
  }
}
