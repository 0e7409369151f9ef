import { QueryClientProvider } from "@tanstack/react-query";
import { type PropsWithChildren, useState } from "react";
import { createQueryClient } from "./query-client.ts";

/** Gives the screens inside one cache for their data: a new one for each page load and each render on the server. */
export function ServerData({ children }: PropsWithChildren) {
  const [client] = useState(createQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
