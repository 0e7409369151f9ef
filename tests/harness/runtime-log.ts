/**
 * Everything written to the console by this process, and by the runtime whose output it prints, since recording began.
 */
export type RuntimeLog = {
  /** The text from an offset. Empty when the offset is beyond the end. */
  from(offset: number): string;
  length(): number;
  stop(): void;
};

/** Enough for a whole run. Older text is dropped but still counts in offsets. */
const KEPT_CHARACTERS = 4_000_000;

/**
 * Records this process's console. Tests in workerd see only the console of their own code. The runtime's own output,
 * such as a warning that contains a header, appears here.
 */
export function recordRuntimeLog(): RuntimeLog {
  let kept = "";
  let forgotten = 0;
  const undo = [process.stdout, process.stderr].map((stream) => {
    const write = stream.write;
    stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
      kept += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
      const surplus = kept.length - KEPT_CHARACTERS;
      if (surplus > 0) {
        kept = kept.slice(surplus);
        forgotten += surplus;
      }
      return write.call(stream, chunk, ...rest);
    }) as typeof stream.write;
    return () => {
      stream.write = write;
    };
  });
  return {
    from: (offset) => kept.slice(Math.max(0, offset - forgotten)),
    length: () => forgotten + kept.length,
    stop: () => {
      for (const each of undo) each();
    },
  };
}
