import { REGIONS, type Region } from "#core/kernel/platform-id.ts";

/** One ledger of a region: `DE` is its first, `DE_2` its second. Its binding is `LEDGER_` and this name. */
export type Shard = Region | `${Region}_${number}`;

/** The shard of an organisation in each region where it is not the first. */
export type Shards = Readonly<Partial<Record<Region, Shard>>>;

const NAME = new RegExp(`^(${REGIONS.join("|")})(?:_([2-9]|[1-9]\\d+))?$`);
const BINDING = "LEDGER_";

/** True for the name of a shard, whether or not it exists. */
export const isShard = (name: unknown): name is Shard => typeof name === "string" && NAME.test(name);

/** The region of a shard: the customer chose it, and the vault is that of the region. */
export function regionOf(shard: Shard): Region {
  const region = REGIONS.find((each) => shard === each || shard.startsWith(`${each}_`));
  if (!region) throw new Error(`${shard} is no shard.`);
  return region;
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

const numberOf = (shard: Shard) => Number(NAME.exec(shard)?.[2] ?? 1);
