import type { Progress } from "#connectors/contract/platform-connector.ts";

const LONGEST_LINE = 1024;

/**
 * Parses git's progress text: `Counting objects: 45% (9/20)`. Lines end with a carriage return or a line feed and may
 * be split anywhere; other text is dropped.
 *
 * @param onFault Receives a line in which git names why it stops: `fatal: …` or `error: …`.
 */
export function parseRemoteProgress(
  report: (progress: Progress) => void,
  onFault: (line: string) => void = () => undefined,
): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = `${rest}${text}`.split(/[\r\n]+/);
    rest = lines.pop()!.slice(-LONGEST_LINE);
    for (const line of lines) {
      const fault = /^(?:remote: )?((?:fatal|error): .+)/.exec(line)?.[1];
      if (fault === undefined) parseLine(line, report);
      else onFault(fault);
    }
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
