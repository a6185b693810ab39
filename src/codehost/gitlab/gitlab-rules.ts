import { z } from 'zod'
import type { ForgeTokenCredential, ForgeClient } from '../forge/forge-client.ts'
import { numberedPages } from '../forge/forge-paging.ts'
import type { RestRules } from '../forge/rest-code-host.ts'
import {
  gitlabDraftMark,
  gitlabHookSchema,
  gitlabMergeRequestSchema,
  type GitlabProject,
  gitlabProjectSchema,
  gitlabTokenSchema,
  gitlabBranchSchema,
} from './gitlab-replies.ts'
import type { AccessCheck } from '../code-host.ts'
import { type AccessDeps, accessFailed, accessGranted, accessMissing, tryAccess } from '../forge/forge-access.ts'
import { hasReason } from '../forge/forge-error.ts'
import type { ForgeCommitter } from '../forge/push-files.ts'

/** Prefixes of tokens that GitLab accepts in its own header: personal, project and group, trigger, deploy. */
const ownTokens = /^(?:glpat|glptt|gldt|glcbt|gloas)-/

/**
 * Application tokens are accepted only as bearer tokens. Installations may use their own prefixes, so tokens with an
 * unknown prefix are tried both ways.
 */
function authorize({ token }: ForgeTokenCredential): readonly Readonly<Record<string, string>>[] {
  const own = { 'private-token': token }
  return ownTokens.test(token) ? [own] : [{ authorization: `Bearer ${token}` }, own]
}

const missingScope = z.object({ error: z.literal('insufficient_scope'), scope: z.string().default('api') })

/** The events that `gitlabWebhook` parses. */
const webhookEvents = { push_events: true, tag_push_events: true, merge_requests_events: true, note_events: true }

/** REST rules of GitLab. */
export const gitlabRules: RestRules = {
  client: {
    apiPath: '/api/v4',
    authorize,
    isRepeatable: (method, url) => method !== 'POST' || !/\/(?:notes|hooks|repository\/commits)$/.test(url.pathname),
    paging: numberedPages('per_page', 100),
    remedies: {
      token: 'with the scope "api"',
      write: 'Give it the role Developer there',
      membership: 'a member',
      git: 'Give it the scopes "read_repository" and "write_repository", or "api", and its account the role Developer.',
      readMissingScope: ({ body }) => missingScope.safeParse(body).data?.scope ?? null,
    },
  },
  draftMark: gitlabDraftMark,
  webhooks: {
    path: '/hooks',
    item: gitlabHookSchema,
    changeMethod: 'PUT',
    describe: ({ url, secret }) => ({ url, token: secret, ...webhookEvents, enable_ssl_verification: true }),
  },
  createCommitter: createGitlabCommitter,
  checkAccess: checkGitlabAccess,
}

const developer = 30

const purposeOfReading = 'Needed to read the files; the scope "api" includes this.'

/** Checks what the project's token allows. Changes nothing. */
async function checkGitlabAccess(deps: AccessDeps, signal: AbortSignal): Promise<AccessCheck[]> {
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

const commitSchema = z.object({ id: z.string(), parent_ids: z.array(z.string()), message: z.string() })

/**
 * Commits with one request each. @see https://docs.gitlab.com/api/commits/#create-a-commit
 *
 * @param root Base path of the project's API.
 */
function createGitlabCommitter(client: ForgeClient, root: string): ForgeCommitter {
  const base = `${root}/repository`

  return {
    async findTip(branch, signal) {
      const path = `${base}/branches/${encodeURIComponent(branch)}`
      return (await client.find({ path, reply: gitlabBranchSchema }, signal))?.commit.id ?? null
    },

    async findCommit(id, signal) {
      const found = await client.find({ path: `${base}/commits/${id}`, reply: commitSchema }, signal)
      return found === null ? null : { id: found.id, parents: found.parent_ids, message: found.message, tree: null }
    },

    async commit({ branch, isNew, parent, message, files }, signal) {
      const actions = files.map(({ path, operation, content }) => {
        return { action: operation, file_path: path, ...(content === null ? {} : { content, encoding: 'base64' }) }
      })
      const body = { branch, commit_message: message, actions, ...(isNew ? { start_sha: parent } : {}) }
      const made = await client.call({ method: 'POST', path: `${base}/commits`, body, reply: commitSchema }, signal)
      return { id: made.id, parents: made.parent_ids }
    },
  }
}
