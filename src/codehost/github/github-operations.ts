/**
 * Every call made to GitHub's REST API, with the repository permission it takes, in GitHub's names. Null for calls of
 * the App itself. Tests check each request against GitHub's own description of these operations.
 */
export const githubOperations = {
  'GET /repos/{owner}/{repo}': 'metadata=read',
  'GET /repos/{owner}/{repo}/git/ref/{ref}': 'contents=read',
  'POST /repos/{owner}/{repo}/git/refs': 'contents=write',
  'PATCH /repos/{owner}/{repo}/git/refs/{ref}': 'contents=write',
  'GET /repos/{owner}/{repo}/git/commits/{commit_sha}': 'contents=read',
  'POST /repos/{owner}/{repo}/git/blobs': 'contents=write',
  'POST /repos/{owner}/{repo}/git/trees': 'contents=write',
  'POST /repos/{owner}/{repo}/git/commits': 'contents=write',
  'GET /repos/{owner}/{repo}/pulls': 'pull_requests=read',
  'POST /repos/{owner}/{repo}/pulls': 'pull_requests=write',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}': 'pull_requests=read',
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}': 'pull_requests=write',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers': 'pull_requests=write',
  'GET /repos/{owner}/{repo}/issues': 'issues=read',
  'POST /repos/{owner}/{repo}/issues': 'issues=write',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': 'issues=write',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': 'issues=read',
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': 'issues=write',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/labels': 'issues=write',
  'POST /repos/{owner}/{repo}/labels': 'issues=write',
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission': 'metadata=read',
  'POST /repos/{owner}/{repo}/check-runs': 'checks=write',
  'POST /repos/{owner}/{repo}/statuses/{sha}': 'statuses=write',
  'GET /repos/{owner}/{repo}/hooks': 'repository_hooks=read',
  'POST /repos/{owner}/{repo}/hooks': 'repository_hooks=write',
  'PATCH /repos/{owner}/{repo}/hooks/{hook_id}': 'repository_hooks=write',
  'GET /repos/{owner}/{repo}/installation': null,
  'POST /app/installations/{installation_id}/access_tokens': null,
  'POST /app-manifests/{code}/conversions': null,
} as const satisfies Record<string, `${string}=${'read' | 'write'}` | null>

export type GithubRoute = keyof typeof githubOperations

/** The permissions requested for the App, in GitHub's names. */
export const githubAppPermissions = {
  checks: 'write',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'write',
} as const

/** The names of the permissions on GitHub's pages. */
const permissionNames: Readonly<Record<string, string>> = {
  checks: 'Checks',
  contents: 'Contents',
  issues: 'Issues',
  metadata: 'Metadata',
  pull_requests: 'Pull requests',
  repository_hooks: 'Webhooks',
  statuses: 'Commit statuses',
  workflows: 'Workflows',
}

/** Renders `contents=write` as GitHub's pages show it: `Contents: Read and write`. */
export function namePermission(permission: string): string {
  const [name = '', level] = permission.split('=')
  const words = level === 'write' ? 'Read and write' : 'Read-only'
  return `${permissionNames[name] ?? name}: ${words}`
}
