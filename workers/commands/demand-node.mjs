/** The oldest Node that runs everything here: wrangler's. */
const OLDEST = 22;

/**
 * What is wrong with the Node that runs a command, in one sentence; null = nothing. The package `node` brings its own,
 * which npm puts before the machine's. Where install scripts are off, it is missing, and the machine's runs instead.
 *
 * @param {string} version Such as `20.19.0`.
 * @returns {string | null}
 */
export function nodeComplaint(version) {
  if (Number.parseInt(version, 10) >= OLDEST) return null;
  return `Holdfast needs Node ${OLDEST} or later, and this is Node ${version}: the Node that npm installs is missing, because install scripts are off. Allow that one: npm rebuild node --ignore-scripts=false`;
}

const complaint = nodeComplaint(process.versions.node);
if (complaint !== null) {
  console.error(complaint);
  process.exit(1);
}
