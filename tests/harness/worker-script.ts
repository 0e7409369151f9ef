import { statSync } from "node:fs";
import { ROOT } from "#workers/commands/tools.ts";

/**
 * What the Worker's script may weigh. An isolate reads all of it before its first request, so what few requests need, such
 * as the word lists of passwords (1.6 MB), is a file of the assets. The script had 5.5 MB when this was set.
 */
const MOST_BYTES = 6_000_000;

/** Says when the script that `wrangler deploy --dry-run --outdir build/worker` wrote is too large; null = it is not. */
export function scriptComplaint(path = `${ROOT}/build/worker/app.js`): string | null {
  const { size } = statSync(path);
  return size <= MOST_BYTES
    ? null
    : `The Worker's script has ${size} bytes, and may have ${MOST_BYTES}: look what it carries (build/worker/app.js.map).`;
}
