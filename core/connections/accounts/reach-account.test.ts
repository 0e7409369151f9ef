import { expect, test } from "vitest";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { checkedAccountName } from "./reach-account.ts";

const platformWith = (descriptor: Partial<PlatformConnector["descriptor"]>) =>
  ({ descriptor }) as PlatformConnector;
const services = {
  connectors: new Map([
    ["quay", platformWith({})],
    ["harbour", platformWith({ accountNames: "titles" })],
  ]),
};

test("a login loses its spaces, and a title only those around it", () => {
  expect(checkedAccountName(services, "quay", " a b\t ")).toBe("ab");
  expect(checkedAccountName(services, "harbour", " Harbour Works ")).toBe("Harbour Works");
});

test.each(["quay", "harbour"])(
  "an account's name at %s has two characters besides the spaces around it",
  (platform) => {
    expect(() => checkedAccountName(services, platform, "  ")).toThrow("Enter the name of the account.");
    expect(() => checkedAccountName(services, platform, " a ")).toThrow("at least 2 characters");
  },
);
