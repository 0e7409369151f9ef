import { inject } from "vitest";

/** How often to look for the runtime's output. */
const LOOKS = 200;
const LOOK_EVERY_MS = 50;

/**
 * Reads what the runtime itself writes from now on. `untilNow` provokes a warning and returns when it appears, so that
 * everything written earlier is included.
 */
export async function readRuntimeLog(): Promise<{ untilNow: () => Promise<string> }> {
  const offset = await lengthNow();
  return {
    untilNow: async () => {
      const mark = `end-of-the-log-ä-${crypto.randomUUID()}`;
      const answer = await fetch(address("length"), { headers: { "x-mark": mark } });
      await answer.body?.cancel();
      for (let look = 0; look < LOOKS; look++) {
        const text = await (await fetch(address(`from/${offset}`))).text();
        if (text.includes(mark)) return text;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
      throw new Error("The runtime's log cannot be read: its own warning never came out.");
    },
  };
}

async function lengthNow(): Promise<number> {
  return Number(await (await fetch(address("length"))).text());
}

const address = (path: string) => `${inject("outsideUrl")}/runtime-log/${path}`;
