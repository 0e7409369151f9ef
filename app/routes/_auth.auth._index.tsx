import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";

/** `/auth` is sign-in (spec A-041), with whatever the address asks for. */
export function loader({ request }: LoaderFunctionArgs) {
  return redirect(`/auth/login${new URL(request.url).search}`);
}
