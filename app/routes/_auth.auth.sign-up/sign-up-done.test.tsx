import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server.js";
import { expect, test } from "vitest";
import { SignUpDone } from "./sign-up-done.tsx";

const drawn = (isEmbedded: boolean) =>
  renderToString(
    <StaticRouter location="/auth/sign-up">
      <SignUpDone isEmbedded={isEmbedded} />
    </StaticRouter>,
  );

test("[A-434] an embedded sign-up is asked to sign in, others to look for the link", () => {
  const embedded = "Registration successful. Please login with your email to start protecting your data.";
  const normal = "Please check your email now for the confirmation link.";
  expect(drawn(true)).toContain(embedded);
  expect(drawn(true)).not.toContain(normal);
  expect(drawn(false)).toContain(normal);
  expect(drawn(false)).not.toContain("Registration successful");
  expect(drawn(true)).toMatch(/<a [^>]*href="\/auth\/login"/);
});
