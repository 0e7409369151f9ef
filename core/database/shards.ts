import { REGIONS, type Region } from "#core/kernel/platform-id.ts";

/** One ledger of a region: `DE` is its first, `DE_2` its second. Its binding is `LEDGER_` and this name. */
export type Shard = Region | `${Region}_${number}`;

/** The shard of an organisation in each region where it is not the first. */
export type Shards = Readonly<Partial<Record<Region, Shard>>>;

const BINDING = "LEDGER_";

/** The parts of a shard's name; null for a text that is none. */
function readName(name: string): { region: Region; number: number } | null {
  const [first, second = "1"] = name.split("_");
  const region = REGIONS.find((each) => each === first);
  const number = Number(second);
  const isNamed = region && Number.isInteger(number) && name === nameOf(region, number);
  return isNamed ? { region, number } : null;
}

const nameOf = (region: Region, number: number) => (number > 1 ? `${region}_${number}` : region);

/** True for the name of a shard, whether or not it exists. */
export const isShard = (name: unknown): name is Shard => typeof name === "string" && readName(name) !== null;

/** The region of a shard: the customer chose it, and the vault is that of the region. */
export function regionOf(shard: Shard): Region {
  const read = readName(shard);
  if (!read) throw new Error(`${shard} is no shard.`);
  return read.region;
}

/** The shards that the bindings have, by region and number. */
export function listShards(bindings: object): Shard[] {
  const found = Object.keys(bindings).flatMap((name) => {
    const shard = name.startsWith(BINDING) ? name.slice(BINDING.length) : "";
    return isShard(shard) ? [shard] : [];
  });
  return REGIONS.flatMap((region) =>
    found.filter((shard) => regionOf(shard) === region).sort((a, b) => numberOf(a) - numberOf(b)),
  );
}

const numberOf = (shard: Shard) => readName(shard)?.number ?? 1;
