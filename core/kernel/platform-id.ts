/** Id of a platform: the name of its folder in `connectors/platforms/`. Code in `core/` never names a platform. */
export type PlatformId = string;

/** The four data regions (spec part 2 section 9). */
export const REGIONS = ["US", "DE", "UK", "AP"] as const;
export type Region = (typeof REGIONS)[number];
