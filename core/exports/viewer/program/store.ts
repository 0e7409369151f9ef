import type { ViewerCatalogue, ViewerCover, ViewerPart } from "../data.ts";
import { textOfPart } from "./words.ts";

/** A view as far as it has been loaded. */
export type LoadedView = {
  index: number;
  catalogue: ViewerCatalogue;
  parts: ViewerPart[];
  byId: Map<string, ViewerPart>;
  /** Parts of each group, in file order; parts without a group are under the empty string. */
  byGroup: Map<string, ViewerPart[]>;
  /** The text of each part, for the search. */
  texts: Map<ViewerPart, string>;
};

/** Resolvers of data files that are loading, by key. */
const waiting = new Map<string, (value: unknown) => void>();

declare global {
  interface Window {
    /** Data files call this with their key and JSON. */
    holdfast: (key: string, json: string) => void;
  }
}

/** Registers the function that data files call. */
export function listen(): void {
  window.holdfast = (key, json) => {
    waiting.get(key)?.(JSON.parse(json));
    waiting.delete(key);
  };
}

/** Reads the cover embedded in the page. */
export function readCover(): ViewerCover {
  return JSON.parse(document.getElementById("cover")?.textContent ?? "null");
}

/** Loads a data file beside this page. A page opened from disk may load scripts and nothing else. */
function load<Value>(key: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    waiting.set(key, (value) => {
      script.remove();
      resolve(value as Value);
    });
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(`viewer/${key}.js`));
    });
    script.src = `viewer/${key}.js`;
    document.head.appendChild(script);
  });
}

/** Loads a view file by file; `onProgress` receives the number of loaded files. */
export async function loadView(
  index: number,
  onProgress: (view: LoadedView, done: number) => void,
): Promise<LoadedView> {
  const catalogue = await load<ViewerCatalogue>(`${index}/index`);
  const view: LoadedView = {
    index,
    catalogue,
    parts: [],
    byId: new Map(),
    byGroup: new Map(),
    texts: new Map(),
  };
  for (let number = 1; number <= catalogue.fileCount; number += 1) {
    for (const part of await load<ViewerPart[]>(`${index}/${number}`)) take(view, part);
    onProgress(view, number);
  }
  return view;
}

function take(view: LoadedView, part: ViewerPart): void {
  const group = part.group ?? "";
  const siblings = view.byGroup.get(group) ?? [];
  siblings.push(part);
  view.byGroup.set(group, siblings);
  view.parts.push(part);
  view.byId.set(part.id, part);
}

/** True when the part contains all words of the search. */
export function matches(view: LoadedView, part: ViewerPart, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = view.texts.get(part) ?? textOfPart(part);
  view.texts.set(part, text);
  return words.every((word) => text.includes(word));
}
