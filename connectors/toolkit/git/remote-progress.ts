import type { Progress } from "#connectors/contract/platform-connector.ts";

const LONGEST_LINE = 1024;

/**
 * Parses git's progress text: `Counting objects: 45% (9/20)`. Lines end with a carriage return or a line feed and may
 * be split anywhere; other text is dropped.
 */
export function parseRemoteProgress(report: (progress: Progress) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = `${rest}${text}`.split(/[\r\n]+/);
    rest = lines.pop()!.slice(-LONGEST_LINE);
    for (const line of lines) parseLine(line, report);
  };
}

function parseLine(line: string, report: (progress: Progress) => void): void {
  const match = /^(?:remote: )?([A-Za-z][A-Za-z ]{0,60}):\s+(?:[0-9]+% \(([0-9]+)\/([0-9]+)\)|([0-9]+))/.exec(
    line,
  );
  if (match === null) return;
  const [, phase, done, total, only] = match;
  report({
    phase: phase!,
    done: Number(done ?? only),
    total: total === undefined ? null : Number(total),
    unit: "objects",
  });
}
