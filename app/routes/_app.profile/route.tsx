/** The profile is the first tab of the settings, under a second address (spec A-056). */
export {
  default,
  ErrorBoundary,
  handle,
  loader,
  meta,
  shouldRevalidate,
} from "../_app.settings.($tab)/route.tsx";
