import type { ObjectFormat } from "../object-format.ts";
import type { GitRemote } from "../smart-http.ts";
import { commitsAtDepth, uploadPackCapabilities } from "../upload-pack.ts";

/** A first guess of how many commits lie behind each other. */
const FIRST_DEPTH = 64;
/** The longest histories have a few million. */
const LARGEST_DEPTH = 2 ** 24;
/** The depth is known well enough when it is known to this share. */
const EXACTNESS = 1 / 8;
/** Commits at one depth. A wider history is not cut there: each commit is named in a request and in the chain. */
const WIDEST_CUT = 500;

/**
 * Cuts a history into parts of about equal numbers of commits behind each other. The server tells which commits lie at
 * a depth, as for a shallow clone, before it sends any object, so a cut costs a short request and no memory. What lies
 * behind the commits of a cut is fetched like any other history.
 *
 * @returns the commits of each cut, from the oldest to the newest; without those of the last part. Empty = the server
 * cannot tell, or the history cannot be cut.
 * @throws ConnectorError
 */
export async function cutHistory(
  remote: GitRemote,
  { wants, objectFormat, parts }: { wants: readonly string[]; objectFormat: ObjectFormat; parts: number },
): Promise<string[][]> {
  const features = (await uploadPackCapabilities(remote)).get("fetch")?.split(" ") ?? [];
  if (parts < 2 || wants.length === 0 || !features.includes("shallow")) return [];
  const filter = features.includes("filter") ? "tree:0" : undefined;
  const commitsAt = (depth: number) => commitsAtDepth(remote, { wants, objectFormat, depth, filter });
  const depth = await depthOf(commitsAt);
  const cuts: string[][] = [];
  const seen = new Set<number>();
  for (let part = 1; part < parts; part++) {
    const at = Math.round((depth * (parts - part)) / parts) + 1;
    if (at < 2 || seen.has(at)) continue;
    seen.add(at);
    const commits = await commitsAt(at);
    if (commits.length > 0 && commits.length <= WIDEST_CUT) cuts.push(commits);
  }
  return cuts;
}

/** The largest depth at which there are commits, somewhat less. */
async function depthOf(commitsAt: (depth: number) => Promise<string[]>): Promise<number> {
  const reaches = async (depth: number) => (await commitsAt(depth)).length > 0;
  let [reached, missed] = [1, FIRST_DEPTH];
  while (missed < LARGEST_DEPTH && (await reaches(missed))) [reached, missed] = [missed, 2 * missed];
  while (missed - reached > Math.max(1, missed * EXACTNESS)) {
    const middle = Math.floor((reached + missed) / 2);
    if (await reaches(middle)) reached = middle;
    else missed = middle;
  }
  return reached;
}
