import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const REGIONS = ["North America", "Europe, United Kingdom", "Asia Pacific, Sydney", "Europe, Germany"];

const chosen = (page: Page, region: string) => page.getByRole("radio", { name: region });

for (const [i, region] of REGIONS.entries()) {
  test(`the step of consent names ${region} when it was saved, and so does everything after it`, async ({
    page,
    person,
  }) => {
    await person.call("PATCH", "user/change-user-platform-s3-region", {
      platform: "github",
      region: ["UK", "AP", "DE", "US"][i],
    });
    await page.goto("/app-connector?platform=github");
    await expect(chosen(page, region)).not.toBeChecked();
    await chosen(page, region).check();
    await page.getByRole("button", { name: "Save and continue" }).click();
    await page.waitForURL(/step=authorize/);
    const facts = page.locator("dl.facts");
    // The first text must be correct: a person does not wait for a correction before agreeing.
    expect(await facts.locator("dd").first().textContent()).toBe(region);
    await page.getByRole("link", { name: "Back" }).click();
    await expect(chosen(page, region)).toBeChecked();
    await page.goBack();
    await expect(facts).toContainText(region);
    await page.reload();
    await expect(facts).toContainText(region);
  });
}
