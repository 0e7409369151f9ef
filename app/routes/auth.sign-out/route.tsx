import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { endSession } from "./actions.server.ts";

/** Only a form may sign out, never a link. */
export const loader = () => redirect("/");

export const action = ({ context, request }: ActionFunctionArgs) => endSession(context, request);
