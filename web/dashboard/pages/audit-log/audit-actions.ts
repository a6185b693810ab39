import { say } from '../../../words/say.ts'

const actionNames: Readonly<Record<string, string>> = {
  'session-begun': say('Signed in'),
  'session-ended': say('Signed out'),
  'sessions-ended': say('Signed out everywhere'),
  'sign-in-failed': say('Failed to sign in'),
  'password-set': say('Password set'),
  'view-shared': say('View shared'),
  'shared_view-revoked': say('Shared view revoked'),
  'invitation-created': say('Invitation created'),
  'invitation-accepted': say('Invitation accepted'),
  'invitation-revoked': say('Invitation revoked'),
  'role-changed': say('Role changed'),
  'member-removed': say('Member removed'),
  'key-created': say('Key created'),
  'key-changed': say('Key changed'),
  'key-revoked': say('Key revoked'),
  'site-created': say('Site created'),
  'site-changed': say('Site changed'),
  'site-confirmed': say('Site confirmed'),
  'site-deleted': say('Site deleted'),
  'sync-requested': say('Sync requested'),
  'job-created': say('Job created'),
  'job-deletions_allowed': say('Job deletions allowed'),
  'pull-request-merged': say('Pull request merged'),
  'pull-request-closed': say('Pull request closed'),
  'pull-request-reopened': say('Pull request reopened'),
  'pull-request-reviewed': say('Pull request reviewed'),
  'pull-request-suggestions-applied': say('Pull request suggestions applied'),
  'gap-changed': say('Gap changed'),
  'gap-retried': say('Questions of a gap re-asked'),
  'discrepancy-changed': say('Discrepancy changed'),
  'suite-changed': say('Suite changed'),
  'setting-changed': say('Setting changed'),
  'brand-changed': say('Brand changed'),
  'hand-over-changed': say('Hand over changed'),
  'hand-over-retried': say('Hand over retried'),
  'hand-over-deleted': say('Hand over deleted'),
  'webhook-endpoint-created': say('Webhook endpoint created'),
  'webhook-endpoint-changed': say('Webhook endpoint changed'),
  'webhook-endpoint-deleted': say('Webhook endpoint deleted'),
  'code_host_app-created': say('App added'),
  'code_host_app-deleted': say('App deleted'),
}

/** Actions offered as filters. Later versions may add more, which are still listed. */
export const auditActions = Object.keys(actionNames)

/** `key-created` becomes “Key created”. */
export function describeAction(action: string): string {
  const known = Object.hasOwn(actionNames, action) ? actionNames[action] : undefined
  if (known !== undefined) return known
  const words = action.replaceAll(/[-_]/g, ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
