/** What this process, and the runtime whose console it prints, has written since the recording began. */
export type RuntimeLog = {
  /** The text from a place on; a place beyond the end answers nothing. */
  from(offset: number): string;
  length(): number;
  stop(): void;
};

/** Enough for a whole run; what is older is forgotten, and counts on. */
const KEPT_CHARACTERS = 4_000_000;

/**
 * Records what is written to the console of this process. Tests in workerd see the console of their own code alone;
 * what the runtime itself has to say, such as a warning about a header with the header in it, comes out here.
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
