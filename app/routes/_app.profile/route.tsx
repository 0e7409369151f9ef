/** The profile is the first tab of the settings, at a second path (spec A-056). */
export {
  default,
  ErrorBoundary,
  handle,
  loader,
  meta,
  shouldRevalidate,
} from "../_app.settings.($tab)/route.tsx";
