import { z } from 'zod'
import type { AccessCheck } from '../code-host.ts'
import { type AccessDeps, accessFailed, accessGranted, accessMissing, tryAccess } from '../forge/forge-access.ts'
import type { ForgeRepository } from '../forge/forge-host.ts'
import {
  giteaLabelSchema,
  giteaPullRequestSchema,
  type GiteaRepository,
  giteaRepositorySchema,
} from './gitea-replies.ts'

/** Checks what the repository's token allows. Changes nothing. */
export async function checkGiteaAccess(deps: AccessDeps, signal: AbortSignal): Promise<AccessCheck[]> {
  const { client, git, repository } = deps
  const path = `/repos/${repository.path}`
  const found = await client
    .call({ path, reply: giteaRepositorySchema }, signal)
    .catch((error: unknown) => accessFailed('repository: read', error))
  if ('state' in found) return [found]
  const list = (what: 'pulls' | 'labels') => {
    const reply: z.ZodType = z.array(what === 'pulls' ? giteaPullRequestSchema : giteaLabelSchema)
    return client.call({ path: `${path}/${what}`, query: { limit: 1 }, reply }, signal)
  }
  const tried = await Promise.all([
    tryAccess('repository: read', 'Needed to read the files.', git.resolveBranch(null, signal)),
    tryAccess('issue: read', 'Comments and labels need "issue: write", which only shows on a write.', list('labels')),
  ])
  const pulls =
    checkPullRequests(found, repository) ??
    (await tryAccess('pull requests', 'Needed to look up pull requests.', list('pulls')))
  return [checkRole(found, repository), ...tried, pulls]
}

function checkRole({ permissions }: GiteaRepository, { path }: ForgeRepository): AccessCheck {
  const permission = 'repository: write'
  if (permissions == null) {
    const message = "The forge does not show what the token's account may do. It needs write access."
    return { permission, state: 'unknown', message }
  }
  if (permissions.push === true || permissions.admin === true) {
    return accessGranted(
      permission,
      'Needed to push branches and to open pull requests; the token needs this permission too.',
    )
  }
  const message = `The token's account may not push to ${path}. Add it there as a collaborator with write access.`
  return accessMissing(permission, message)
}

function checkPullRequests(found: GiteaRepository, { path }: ForgeRepository): AccessCheck | null {
  const permission = 'pull requests'
  if (found.archived === true) {
    return accessMissing(permission, `The repository ${path} is archived. Unarchive it.`)
  }
  if (found.has_pull_requests !== false) return null
  return accessMissing(
    permission,
    `Pull requests are turned off in ${path}. Turn them on in the repository's settings.`,
  )
}
