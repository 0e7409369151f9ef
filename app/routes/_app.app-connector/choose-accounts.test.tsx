import { expect, test } from "vitest";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { ChooseAccounts } from "./choose-accounts.tsx";
import type { ConnectorApp } from "./queries.server.ts";

const app: ConnectorApp = {
  id: descriptors[0]!.id,
  label: "Sites",
  canManage: true,
  isOwner: true,
  mayConnect: true,
  installUrl: null,
  offer: null,
  hasStarted: true,
  region: "UK",
  accounts: [],
  connection: null,
  isAdding: false,
};
const candidates = [
  { externalId: "a", name: "Acme", note: "acme.example", isConnected: true },
  { externalId: "b", name: "Beta", note: null, isConnected: false },
];
const draw = (isOne: boolean) =>
  renderScreen(<ChooseAccounts app={app} choice={{ id: "c", candidates, isOne }} />);

test("the accounts of a consent are listed with their notes, and none is preselected", () => {
  const markup = draw(false);
  const text = textOf(markup);
  for (const part of ["Acme", "acme.example", "connected already", "Beta", "United Kingdom"]) {
    expect(text).toContain(part);
  }
  expect(markup.match(/type="checkbox"/g)).toHaveLength(2);
  expect(markup).not.toContain('checked=""');
  expect(text).toContain("Choose an account");
});

test("only one account can be chosen to replace a connected one", () => {
  const markup = draw(true);
  expect(markup.match(/type="radio"/g)).toHaveLength(2);
  expect(markup).not.toContain('type="checkbox"');
});
