import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { ServerData } from "#app/api/server-data.tsx";

/** Renders a screen at an address as the server does, without effects: what a person sees before scripts run. */
export function renderScreen(screen: ReactElement, address = "/"): string {
  const router = createMemoryRouter([{ path: "*", element: <ServerData>{screen}</ServerData> }], {
    initialEntries: [address],
  });
  return withoutLayoutEffectWarnings(() =>
    renderToStaticMarkup(<RouterProvider router={router} future={{ v7_startTransition: true }} />),
  );
}

/** React's development build warns about every layout effect of the router. The production build does not. */
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

/** The text of markup, with entities decoded and white space collapsed. */
export function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, " ")
    .trim();
}
