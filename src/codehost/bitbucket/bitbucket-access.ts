import { z } from 'zod'
import type { AccessCheck } from '../code-host.ts'
import { type AccessDeps, accessFailed, accessGranted, accessMissing, tryAccess } from '../forge/forge-access.ts'
import { bitbucketPaging, type BitbucketRepository, bitbucketRepositorySchema } from './bitbucket-replies.ts'
import { repositoryEndpoint } from './bitbucket-paths.ts'

/** Checks what the repository's token allows. Changes nothing. */
export async function checkBitbucketAccess(deps: AccessDeps, signal: AbortSignal): Promise<AccessCheck[]> {
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
