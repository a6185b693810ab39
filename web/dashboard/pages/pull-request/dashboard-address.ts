/** Signing in leads back to the page that is shown. */
export function signInAddress(): string {
  return `/dashboard/sign-in?${new URLSearchParams({ returnTo: location.pathname })}`
}

/** The list of all pull requests, with what the sites have of them. */
export function pullRequestsAddress({ id }: { id: string }): string {
  return `/dashboard/${encodeURIComponent(id)}/pull-requests`
}
