/** Signing in leads back to the page that is shown. */
export function signInAddress(): string {
  return `/dashboard/sign-in?${new URLSearchParams({ returnTo: location.pathname })}`
}
