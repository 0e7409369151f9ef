import { runInNewContext } from "node:vm";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, test } from "vitest";
import Maintenance from "./route.tsx";

test("[A-106] 'Try again' on the maintenance screen reloads the application", () => {
  const router = createMemoryRouter([{ id: "page", path: "*", element: <Maintenance /> }], {
    hydrationData: { loaderData: { page: { contactEmail: "help@x.example" } } },
  });
  const html = renderToStaticMarkup(<RouterProvider router={router} future={{ v7_startTransition: true }} />);
  const id = /<button[^>]*\bid="(\w+)"[^>]*>Try again<\/button>/.exec(html)?.[1];
  const script = /<script[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? "";
  const button = new EventTarget();
  let reloads = 0;
  runInNewContext(script, {
    document: { getElementById: (asked: string) => (asked === id ? button : null) },
    location: { reload: () => (reloads += 1) },
  });
  expect(reloads).toBe(0);
  button.dispatchEvent(new Event("click"));
  expect(reloads).toBe(1);
});
