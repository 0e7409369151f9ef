import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";

/** Draws a screen as the server does, at an address, without effects: what a person gets before any script runs. */
export function renderScreen(screen: ReactElement, address = "/"): string {
  const router = createMemoryRouter([{ path: "*", element: screen }], { initialEntries: [address] });
  return withoutLayoutEffectWarnings(() =>
    renderToStaticMarkup(<RouterProvider router={router} future={{ v7_startTransition: true }} />),
  );
}

/** React's development build warns at every layout effect of the router; the build that runs does not. */
function withoutLayoutEffectWarnings<T>(work: () => T): T {
  const { error } = console;
  console.error = (...words: unknown[]) => {
    if (!String(words[0]).startsWith("Warning: useLayoutEffect does nothing on the server")) error(...words);
  };
  try {
    return work();
  } finally {
    console.error = error;
  }
}

/** The text of markup with entities resolved and every run of white space as one space. */
export function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, " ")
    .trim();
}
