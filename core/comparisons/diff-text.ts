import { structuredPatch } from "diff";
import { CONTEXT_LINES, LONGEST_TEXT, MOST_EDITS } from "./limits.ts";
import type { TextDifference, TextPiece } from "./views.ts";

/** How one text became another, line by line with what stands around; null when that is more than can be told. */
export function diffText(before: string, after: string): TextDifference {
  if (before.length > LONGEST_TEXT || after.length > LONGEST_TEXT) return null;
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MOST_EDITS,
  });
  if (!patch) return null;
  return patch.hunks.map((hunk) => {
    let [old, young] = [hunk.oldStart, hunk.newStart];
    const pieces: TextPiece[] = [];
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith("-")) pieces.push({ change: "removed", line: old++, text });
      else if (line.startsWith("+")) pieces.push({ change: "added", line: young++, text });
      else if (line.startsWith(" ")) {
        pieces.push({ change: "same", line: young++, text });
        old++;
      }
    }
    return pieces;
  });
}
