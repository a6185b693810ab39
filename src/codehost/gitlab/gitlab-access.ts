import { z } from 'zod'
import type { AccessCheck } from '../code-host.ts'
import { type AccessDeps, accessFailed, accessGranted, accessMissing, tryAccess } from '../forge/forge-access.ts'
import { hasReason } from '../forge/forge-error.ts'
import {
  gitlabMergeRequestSchema,
  type GitlabProject,
  gitlabProjectSchema,
  gitlabTokenSchema,
} from './gitlab-replies.ts'

const developer = 30

const purposeOfReading = 'Needed to read the files; the scope "api" includes this.'

/** Checks what the project's token allows. Changes nothing. */
export async function checkGitlabAccess(deps: AccessDeps, signal: AbortSignal): Promise<AccessCheck[]> {
  const project = await readProject(deps, signal)
  if ('state' in project) return [project]
  const tried = await Promise.all([
    checkScopes(deps, signal),
    tryAccess('Scope: read_repository', purposeOfReading, deps.git.resolveBranch(null, signal)),
    checkMergeRequests(deps, project, signal),
  ])
  return [checkRole(deps, project), ...tried]
}

async function readProject(
  { client, repository }: AccessDeps,
  signal: AbortSignal,
): Promise<GitlabProject | AccessCheck> {
  const path = `/projects/${encodeURIComponent(repository.path)}`
  return client.call({ path, reply: gitlabProjectSchema }, signal).catch((error) => accessFailed('Project', error))
}

/** Application tokens do not reveal their scopes here. */
async function checkScopes({ client }: AccessDeps, signal: AbortSignal): Promise<AccessCheck> {
  const permission = 'Scope: api'
  try {
    const { scopes } = await client.call({ path: '/personal_access_tokens/self', reply: gitlabTokenSchema }, signal)
    if (scopes.includes('api')) return accessGranted(permission, 'Needed to open merge requests and to write comments.')
    const has = scopes.length === 0 ? 'none' : scopes.join(', ').slice(0, 200)
    return accessMissing(
      permission,
      `The token lacks the scope "api" (it has ${has}). Create one with this scope and store it as the credential.`,
    )
  } catch (error) {
    if (hasReason(error, 'forbidden')) return accessFailed(permission, error)
    return { permission, state: 'unknown', message: 'GitLab does not show the scopes of this token. It needs "api".' }
  }
}

function checkRole({ repository }: AccessDeps, { permissions }: GitlabProject): AccessCheck {
  const permission = 'Role: Developer'
  if (permissions == null) {
    return { permission, state: 'unknown', message: 'GitLab does not show the role of this token. It needs Developer.' }
  }
  const levels = [permissions.project_access?.access_level ?? 0, permissions.group_access?.access_level ?? 0]
  if (Math.max(...levels) >= developer)
    return accessGranted(permission, 'Needed to push branches and to open merge requests.')
  const message = `The token's account may not push to ${repository.path}. Give it the role Developer among the project's members; project and group tokens get their role when they are created.`
  return accessMissing(permission, message)
}

async function checkMergeRequests(
  { client, repository }: AccessDeps,
  project: GitlabProject,
  signal: AbortSignal,
): Promise<AccessCheck> {
  const permission = 'Merge requests'
  if (project.archived === true)
    return accessMissing(permission, `The project ${repository.path} is archived. Unarchive it.`)
  if (project.merge_requests_enabled === false) {
    return accessMissing(
      permission,
      `Merge requests are turned off in ${repository.path}. Turn them on in the project's settings.`,
    )
  }
  const call = {
    path: `/projects/${project.id}/merge_requests`,
    query: { per_page: 1 },
    reply: z.array(gitlabMergeRequestSchema),
  }
  return tryAccess(permission, 'Needed to look up the merge request of a branch.', client.call(call, signal))
}
