import { expect, test } from "vitest";
import { organisationNameSchema } from "#core/organisations/organisation-name.schema.ts";
import { personNameSchema } from "../accounts/password.schema.ts";

/** Every schema that validates a name. */
const SCHEMAS = { person: personNameSchema, organisation: organisationNameSchema };

const takenBy = (name: string) =>
  Object.entries(SCHEMAS).flatMap(([of, schema]) => (schema.safeParse(name).success ? [of] : []));

test.each([
  "Meridian Freight GmbH & Co. KG",
  "J. R. Okafor",
  "St. Gallen",
  "O’Neill-Łukasz",
  "株式会社メリディアン",
  "علی\u200cرضا",
  "ක්\u200dරමය",
  "Team 2.0",
])("the name %j is valid", (name) => {
  expect(takenBy(name)).toEqual(["person", "organisation"]);
});

test.each([
  ["an address", "Pay at https://evil.example"],
  ["a host", "evil.example"],
  ["a host of another script", "пример.рф"],
  ["a host behind www", "www evil"],
  ["a host with a wide dot", "evil．example"],
  ["a host with an ideographic dot", "evil。example"],
  ["a host that a joiner conceals", "evil\u200d.example"],
  ["a scheme", "ftp://x"],
  ["an override of the direction", "Meridian \u202etfos"],
  ["an isolate", "Meridian \u2066x\u2069"],
  ["a mark of the direction", "Meridian\u200f"],
  ["a blank of no width", "Meri\u200bdian"],
  ["a soft hyphen", "Meri\u00addian"],
  ["a byte order mark inside", "Meri\ufeffdian"],
  ["a tag", "Meridian\u{e0041}x"],
  ["a line separator", "Meridian\u2028Freight"],
  ["a line feed", "Meridian\nFreight"],
  ["a lone surrogate", "Meridian\ud800x"],
])("a name with %s is invalid", (_, name) => {
  expect(takenBy(name)).toEqual([]);
});
