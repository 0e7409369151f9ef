import type { Region } from "#core/kernel/platform-id.ts";

/** Names of the data regions (spec P-450). */
export const regionNames: Readonly<Record<Region, string>> = {
  DE: "Europe, Germany",
  UK: "Europe, United Kingdom",
  US: "North America",
  AP: "Asia Pacific, Sydney",
};

/**
 * What a region means: for whom, where, under which law, and whether it is guaranteed. DE and US are enforced. UK and
 * AP are location hints: the data may be stored elsewhere, so no law is named for them.
 */
export const regionFacts: readonly {
  region: Region;
  who: string;
  stored: string;
  law: string | null;
  guarantee: { word: string; rest: string };
}[] = [
  {
    region: "DE",
    who: "Close to teams on the European continent.",
    stored: "European Union data centres",
    law: "EU, GDPR",
    guarantee: { word: "Enforced", rest: ": stays in the EU" },
  },
  {
    region: "UK",
    who: "Close to teams in Britain and Ireland.",
    stored: "Western Europe where possible",
    law: null,
    guarantee: { word: "", rest: "Location hint, not enforced" },
  },
  {
    region: "US",
    who: "Shortest way for teams in the Americas.",
    stored: "United States data centres",
    law: "United States",
    guarantee: { word: "Enforced", rest: ": stays in the US" },
  },
  {
    region: "AP",
    who: "Close to Australia and New Zealand.",
    stored: "Oceania where possible",
    law: null,
    guarantee: { word: "", rest: "Location hint, not enforced" },
  },
];
