import { expect, test } from "vitest";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { CardLine } from "./card-line.tsx";

const line = (brand: string) =>
  textOf(
    renderScreen(
      <CardLine card={{ id: "pm_1", card: { brand, last_4: "4242", exp_month: 8, exp_year: 2030 } }} />,
    ),
  );

test("[A-467] [B-155] a card is shown by its brand and last digits; only Visa and Mastercard have a name of their own", () => {
  expect(line("visa")).toBe("VISA •••• 4242");
  expect(line("mastercard")).toBe("Mastercard •••• 4242");
  expect(line("amex")).toBe("AMEX •••• 4242");
});
