import { z } from 'zod'
import type { RestRules } from '../forge/rest-code-host.ts'
import {
  bitbucketHookSchema,
  bitbucketPaging,
  type BitbucketRepository,
  bitbucketRepositorySchema,
} from './bitbucket-replies.ts'
import type { AccessCheck } from '../code-host.ts'
import { type AccessDeps, accessFailed, accessGranted, accessMissing, tryAccess } from '../forge/forge-access.ts'
import { repositoryEndpoint } from './bitbucket-paths.ts'

/** The events that `bitbucketWebhook` parses. */
const webhookEvents = [
  'repo:refs_changed',
  'pr:opened',
  'pr:modified',
  'pr:from_ref_updated',
  'pr:merged',
  'pr:declined',
  'pr:deleted',
  'pr:comment:added',
]

/** Bitbucket answers 401 both for an unknown token and for a missing permission. */
const notAllowed = z.object({
  errors: z.tuple([z.object({ exceptionName: z.string().endsWith('.AuthorisationException') })]),
})

/** REST rules of Bitbucket Data Center. */
export const bitbucketRules: RestRules = {
  client: {
    apiPath: '/rest/api/latest',
    authorize: ({ token }) => [{ authorization: `Bearer ${token}` }],
    isRepeatable: (method, url) => method !== 'POST' || !/\/(?:comments|webhooks)$/.test(url.pathname),
    paging: bitbucketPaging,
    remedies: {
      token: 'with the permission "Repository write"',
      write: 'Grant it the permission "Repository write" there',
      membership: 'allowed to see it',
      git: 'Grant it the permission "Repository write", and enable git over HTTP on the installation.',
      readMissingScope: ({ body }) => (notAllowed.safeParse(body).success ? 'Repository write' : null),
    },
  },
  draftMark: null,
  webhooks: {
    path: '/webhooks',
    item: bitbucketHookSchema,
    changeMethod: 'PUT',
    describe: ({ url, secret }) => ({
      name: 'Docent',
      url,
      configuration: { secret },
      events: webhookEvents,
      active: true,
      sslVerificationRequired: true,
    }),
  },
  // The API commits one file at a time, which would expose half-done changes.
  createCommitter: null,
  checkAccess: checkBitbucketAccess,
}

/** Checks what the repository's token allows. Changes nothing. */
async function checkBitbucketAccess(deps: AccessDeps, signal: AbortSignal): Promise<AccessCheck[]> {
  const { client, git, repository } = deps
  const root = repositoryEndpoint(repository.path)
  const found = await client
    .call({ path: root, reply: bitbucketRepositorySchema }, signal)
    .catch((error: unknown) => accessFailed('Repository read', error))
  if ('state' in found) return [found]
  const pulls = { path: `${root}/pull-requests`, query: { limit: 1 }, reply: bitbucketPaging.page(z.unknown(), null) }
  return Promise.all([
    checkWrite(deps, found, signal),
    tryAccess('Repository read', 'Needed to read the files.', git.resolveBranch(null, signal)),
    tryAccess('Pull requests', 'Needed to look up pull requests.', client.call(pulls, signal)),
  ])
}

/** Only the repository list shows what the token's account may do. */
async function checkWrite(
  { client, repository }: AccessDeps,
  { name, slug, archived, project }: BitbucketRepository,
  signal: AbortSignal,
): Promise<AccessCheck> {
  const permission = 'Repository write'
  if (archived === true)
    return accessMissing(permission, `The repository ${repository.path} is archived. Unarchive it.`)
  const query = { permission: 'REPO_WRITE', projectkey: project.key, name }
  try {
    for await (const found of client.pages({ path: '/repos', query, item: bitbucketRepositorySchema }, signal)) {
      const isFound = found.some((other) => other.slug === slug && other.project.key === project.key)
      if (isFound) return accessGranted(permission, 'Needed to push branches and to open pull requests.')
    }
    return accessMissing(
      permission,
      `The token may not write to ${repository.path}. Create one with the permission "Repository write", and grant that permission to its account.`,
    )
  } catch (error) {
    return accessFailed(permission, error)
  }
}
