import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { finishConnecting } from "./queries.server.ts";

/** Where the provider sends the browser after its consent page; answers with a redirect only. */
export const loader = ({ context, request, params }: LoaderFunctionArgs) =>
  finishConnecting(context, request, params.platform ?? "");
