import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiError } from "#app/api/call-api.ts";
import { RefusalNote } from "./refusal-note.tsx";

const INSTALL = "https://forge.example/apps/holdfast/installations/new";

const draw = (code: string, installUrl: string | null = INSTALL) =>
  renderToStaticMarkup(
    <RefusalNote
      failure={new ApiError("We are not let in", { code, status: 409 })}
      installUrl={installUrl}
      onRetry={() => undefined}
    />,
  );

test("[P-417] [P-418] a missing app has the same message and link inside a dialog as elsewhere", () => {
  const drawn = draw("err.app.missing");
  expect(drawn).toContain(
    "Please install the GitHub app first before your email will be connected to the system",
  );
  expect(drawn).toContain(`href="${INSTALL}" target="_blank"`);
  expect(drawn).toContain("Try again");
});

test("other refusals show their own sentence without a link", () => {
  for (const drawn of [draw("err.platform.unavailable"), draw("err.app.missing", null)]) {
    expect(drawn).toContain("We are not let in");
    expect(drawn).not.toContain("href");
    expect(drawn).toContain("Try again");
  }
});
