/** The shorter path of the payment history; both are served (spec part 3 section 2). */
export { default, ErrorBoundary, handle, meta } from "../_app.payment-history/route.tsx";
