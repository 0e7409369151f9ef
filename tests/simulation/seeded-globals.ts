import crypto, { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import type { Dice } from "#tests/harness/dice.ts";
import type { Scheduler } from "./scheduler.ts";

/**
 * Replaces everything by which a process differs from run to run: clock, timers, randomness, and cryptography that
 * answers from other threads. For a process of its own, which only simulates.
 */
export function seedGlobals(roll: Dice, scheduler: Scheduler): void {
  const fill = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at++) bytes[at] = roll(256);
    return view;
  };
  const randomUUID = () => {
    const hex = Buffer.from(fill(new Uint8Array(16))).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  define("crypto", { subtle: promptSubtle, getRandomValues: fill, randomUUID });
  Object.assign(crypto, {
    randomBytes: (size: number) => Buffer.from(fill(new Uint8Array(size))),
    randomUUID,
  });
  syncBuiltinESMExports();
  Math.random = () => roll(2 ** 31) / 2 ** 31;
  const RealDate = Date;
  define(
    "Date",
    new Proxy(RealDate, {
      construct: (target, values, newTarget) =>
        Reflect.construct(target, values.length === 0 ? [scheduler.now()] : values, newTarget),
      get: (target, name) => (name === "now" ? scheduler.now : Reflect.get(target, name)),
    }),
  );
  define("performance", { now: scheduler.now });
  // A class of workerd's; nobody answers pings here.
  define("WebSocketRequestResponsePair", class {});
  seedTimers(scheduler);
}

/** Timers of an isolate end with it. */
function seedTimers(scheduler: Scheduler): void {
  const timers = new Map<number, () => void>();
  let count = 0;
  const begin = (act: () => void, delayMs: number, isRepeated: boolean) => {
    const id = ++count;
    const life = scheduler.current();
    const plan = () =>
      timers.set(
        id,
        scheduler.after(Math.max(1, delayMs), life, () => {
          if (isRepeated) plan();
          else timers.delete(id);
          act();
        }),
      );
    plan();
    return id;
  };
  const end = (id: number | undefined) => {
    timers.get(id ?? 0)?.();
    timers.delete(id ?? 0);
  };
  define("setTimeout", (act: () => void, delayMs = 0) => begin(act, delayMs, false));
  define("setInterval", (act: () => void, delayMs = 0) => begin(act, delayMs, true));
  define("clearTimeout", end);
  define("clearInterval", end);
}

const define = (name: string, value: unknown) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

type Key = { bytes: Uint8Array };
type GcmOrder = { iv: Uint8Array; additionalData?: Uint8Array };
const TAG_BYTES = 16;

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
/** An ArrayBuffer of exactly these bytes, as the Web's functions return it. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

/** What the product uses of `crypto.subtle`, computed at once. */
export const promptSubtle = {
  async digest(_name: "SHA-256", data: Uint8Array) {
    return bufferOf(createHash("sha256").update(data).digest());
  },
  async importKey(_format: "raw", key: Uint8Array): Promise<Key> {
    return { bytes: bytesOf(key).slice() };
  },
  async sign(_name: "HMAC", { bytes }: Key, message: Uint8Array) {
    return bufferOf(createHmac("sha256", bytes).update(message).digest());
  },
  async deriveBits({ salt, info }: { salt: Uint8Array; info: Uint8Array }, { bytes }: Key, bits: number) {
    return hkdfSync("sha256", bytes, salt, info, bits / 8);
  },
  async encrypt({ iv, additionalData }: GcmOrder, { bytes }: Key, data: Uint8Array) {
    const cipher = createCipheriv("aes-256-gcm", bytes, iv);
    if (additionalData) cipher.setAAD(additionalData);
    return bufferOf(Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]));
  },
  async decrypt({ iv, additionalData }: GcmOrder, { bytes }: Key, sealed: Uint8Array) {
    const data = bytesOf(sealed);
    const decipher = createDecipheriv("aes-256-gcm", bytes, iv);
    if (additionalData) decipher.setAAD(additionalData);
    decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
    return bufferOf(Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]));
  },
};
