import { statSync } from "node:fs";
import { ROOT } from "#workers/commands/tools.ts";

/**
 * Maximum size of the Worker's script. An isolate loads all of it before its first request, so data that few requests
 * need, such as the password word lists (1.6 MB), is an asset. The script has 9.1 MB (2.0 MB compressed, of 10 that
 * Cloudflare allows), about 1 MB of it the payment provider's SDK. A platform adds about 0.5 MB, and the formulas of pages
 * take 0.6 MB.
 */
const MOST_BYTES = 9_500_000;

/** The error when the script from `wrangler deploy --dry-run --outdir build/worker` is too large; null = it fits. */
export function scriptComplaint(path = `${ROOT}/build/worker/app.js`): string | null {
  const { size } = statSync(path);
  return size <= MOST_BYTES
    ? null
    : `The Worker's script has ${size} bytes, and may have ${MOST_BYTES}: look what it carries (build/worker/app.js.map).`;
}
