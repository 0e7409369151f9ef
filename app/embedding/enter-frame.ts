import { codeIn, type FrameMessage, isRefusal, reasonIn } from "./messages.ts";

/** What entering a frame uses of the browser and of our API. */
export type FrameSurroundings = {
  /** Our window's parent: the app's page. */
  parent: Pick<Window, "postMessage">;
  listen(take: (event: Pick<MessageEvent, "data" | "origin" | "source">) => void): () => void;
  /** A random secret of 43 letters that never leaves this page but to our server. */
  secret(): string;
  sha256Hex(text: string): Promise<string>;
  exchange(input: { code: string; verifier: string; origin: string }): Promise<{ next: string }>;
  /** Whether the browser kept the cookies of the exchange. */
  isKept(): Promise<boolean>;
};

/** A one-time code with what shows that this page asked for it. */
export type FrameCode = { code: string; verifier: string; origin: string };

export type FrameEntrance = { kind: "in"; next: string } | { kind: "refused" | "no-cookies" };

/**
 * Asks the app's page around this one for a one-time code and exchanges it for a session. The code is for this page alone:
 * the app's page receives a challenge, and our server receives the secret behind it. So nobody can slip a code of their own
 * account into another person's frame.
 */
export async function enterFrame(around: FrameSurroundings): Promise<FrameEntrance> {
  const given = await askForCode(around, {});
  if (given.kind === "refused") return { kind: "refused" };
  try {
    const { next } = await around.exchange(given.code);
    return (await around.isKept()) ? { kind: "in", next } : { kind: "no-cookies" };
  } catch {
    // Whatever failed, the page offers the same two ways on.
    return { kind: "refused" };
  }
}

/**
 * Asks the app's page around this one for a one-time code: one that opens a session, or with `connects` one that connects
 * the site. Other pages cannot use it.
 */
export async function askForCode(
  around: Pick<FrameSurroundings, "parent" | "listen" | "secret" | "sha256Hex">,
  asked: { connects?: true },
): Promise<{ kind: "code"; code: FrameCode } | { kind: "refused"; reason: string | null }> {
  const verifier = around.secret();
  const challenge = await around.sha256Hex(verifier);
  return new Promise((resolve) => {
    const stop = around.listen(({ data, origin, source }) => {
      if (source !== around.parent) return;
      const code = codeIn(data);
      if (code === null && !isRefusal(data)) return;
      stop();
      resolve(
        code === null
          ? { kind: "refused", reason: reasonIn(data) }
          : { kind: "code", code: { code, verifier, origin } },
      );
    });
    const message: FrameMessage = { type: "holdfast:ready", challenge, ...asked };
    // Which page is around this one is not known yet. The challenge is no secret.
    around.parent.postMessage(message, "*");
  });
}
