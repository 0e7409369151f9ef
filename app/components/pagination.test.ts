import { expect, test } from "vitest";
import { footerText } from "./pagination.tsx";

test("[P-067] the footer shows the range of rows and the total", () => {
  expect(footerText(0, 10, 18)).toBe("Showing 1 to 10 of 18");
  expect(footerText(1, 10, 18)).toBe("Showing 11 to 18 of 18");
  expect(footerText(0, 10, 0)).toBe("Showing 0 to 0 of 0");
});
