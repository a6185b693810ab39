/** Sign-in address that returns to the current page. */
export function signInAddress(): string {
  return `/dashboard/sign-in?${new URLSearchParams({ returnTo: location.pathname })}`
}

/** The list of pull requests in the dashboard. */
export function pullRequestsAddress({ id }: { id: string }): string {
  return `/dashboard/${encodeURIComponent(id)}/pull-requests`
}

export function jobAddress({ id }: { id: string }, jobId: string): string {
  return `/dashboard/${encodeURIComponent(id)}/jobs/${encodeURIComponent(jobId)}`
}
