/** Actions offered as filters. Later versions may add more, which are still listed. */
export const auditActions = [
  'session-begun',
  'session-ended',
  'sessions-ended',
  'sign-in-failed',
  'password-set',
  'view-shared',
  'shared_view-revoked',
  'invitation-created',
  'invitation-accepted',
  'invitation-revoked',
  'role-changed',
  'member-removed',
  'key-created',
  'key-changed',
  'key-revoked',
  'site-created',
  'site-changed',
  'site-confirmed',
  'site-deleted',
  'sync-requested',
  'job-created',
  'job-deletions_allowed',
  'pull-request-merged',
  'pull-request-closed',
  'pull-request-reopened',
  'pull-request-reviewed',
  'pull-request-suggestions-applied',
  'gap-changed',
  'gap-reasked',
  'discrepancy-changed',
  'suite-changed',
  'setting-changed',
  'brand-changed',
  'hand-over-changed',
  'hand-over-retried',
  'hand-over-deleted',
  'webhook-endpoint-created',
  'webhook-endpoint-changed',
  'webhook-endpoint-deleted',
  'code_host_app-created',
  'code_host_app-deleted',
] as const

/** Labels for actions whose names alone are unclear. */
const actionNames: Readonly<Record<string, string>> = {
  'session-begun': 'Signed in',
  'session-ended': 'Signed out',
  'sessions-ended': 'Signed out everywhere',
  'sign-in-failed': 'Failed to sign in',
  'gap-reasked': 'Questions of a gap re-asked',
  'code_host_app-created': 'App added',
  'code_host_app-deleted': 'App deleted',
}

/** `key-created` becomes “Key created”. */
export function describeAction(action: string): string {
  const known = Object.hasOwn(actionNames, action) ? actionNames[action] : undefined
  if (known !== undefined) return known
  const words = action.replaceAll(/[-_]/g, ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
