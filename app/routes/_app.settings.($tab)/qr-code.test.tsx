import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { describeSecret } from "#core/accounts/totp.ts";
import { readQr } from "#tests/harness/read-qr.ts";
import { QrCode } from "./qr-code.tsx";

test("[A-246] the QR code decodes to the otpauth URL with the secret", () => {
  const secret = Uint8Array.from({ length: 20 }, (_, index) => (index * 37) % 256);
  const { uri, secret: text } = describeSecret(secret, "ann+x@example.com");
  const read = readQr(renderToStaticMarkup(<QrCode text={uri} label="QR code" />));
  expect(read).toBe(uri);
  expect(new URL(read).protocol).toBe("otpauth:");
  expect(new URL(read).searchParams.get("secret")).toBe(text);
});
