import { numberedPages } from '../forge/forge-paging.ts'
import type { RestRules } from '../forge/rest-code-host.ts'
import {
  giteaDraftMark,
  giteaHookSchema,
  giteaLabelSchema,
  giteaPullRequestSchema,
  type GiteaRepository,
  giteaRepositorySchema,
} from './gitea-replies.ts'
import { z } from 'zod'
import type { AccessCheck } from '../code-host.ts'
import { type AccessDeps, accessFailed, accessGranted, accessMissing, tryAccess } from '../forge/forge-access.ts'
import type { ForgeRepository } from '../forge/forge-host.ts'
import type { ForgeClient } from '../forge/forge-client.ts'
import type { ForgeCommitter } from '../forge/push-files.ts'

/** The events that `giteaWebhook` parses. Forgejo uses the same names. */
const webhookEvents = [
  'push',
  'pull_request',
  'issue_comment',
  'pull_request_comment',
  'pull_request_review_approved',
  'pull_request_review_rejected',
  'pull_request_review_comment',
]

/** REST rules of Gitea and Forgejo, which are identical in everything used here. */
export const giteaRules: RestRules = {
  client: {
    apiPath: '/api/v1',
    authorize: ({ token }) => [{ authorization: `token ${token}` }],
    isRepeatable: (method, url) => method !== 'POST' || !/\/(?:comments|contents|hooks)$/.test(url.pathname),
    paging: numberedPages('limit', 50),
    remedies: {
      token: 'with the permissions "write:repository" and "write:issue"',
      write: 'Give it write access there',
      membership: 'a collaborator',
      git: 'Grant it the permission "write:repository", and enable git over HTTP on the installation.',
      readMissingScope: ({ words }) => /required scope\(s\)[^[]*\[([\w:, -]{1,200})\]/.exec(words)?.[1] ?? null,
    },
  },
  draftMark: giteaDraftMark,
  webhooks: {
    path: '/hooks',
    item: giteaHookSchema,
    changeMethod: 'PATCH',
    describe: ({ url, secret }, isNew) => ({
      ...(isNew ? { type: 'gitea' } : {}),
      config: { url, secret, content_type: 'json' },
      events: webhookEvents,
      active: true,
    }),
  },
  createCommitter: createGiteaCommitter,
  checkAccess: checkGiteaAccess,
}

/** Checks what the repository's token allows. Changes nothing. */
async function checkGiteaAccess(deps: AccessDeps, signal: AbortSignal): Promise<AccessCheck[]> {
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

const branchSchema = z.object({ commit: z.object({ id: z.string() }) })

const parentsSchema = z.array(z.object({ sha: z.string() }))

const commitSchema = z.object({
  sha: z.string(),
  parents: parentsSchema,
  commit: z.object({ message: z.string(), tree: z.object({ sha: z.string() }).nullish() }),
})

const filesSchema = z.object({ commit: z.object({ sha: z.string(), parents: parentsSchema }) })

/** Commits with one request each, after one that creates the branch. @param base Base path of the repository's API. */
function createGiteaCommitter(client: ForgeClient, base: string): ForgeCommitter {
  return {
    async findTip(branch, signal) {
      const path = `${base}/branches/${encodeURIComponent(branch)}`
      return (await client.find({ path, reply: branchSchema }, signal))?.commit.id ?? null
    },

    async findCommit(id, signal) {
      const query = { stat: 'false', verification: 'false', files: 'false' }
      const found = await client.find({ path: `${base}/git/commits/${id}`, query, reply: commitSchema }, signal)
      if (found === null) return null
      const { message, tree } = found.commit
      return { id: found.sha, parents: found.parents.map(({ sha }) => sha), message, tree: tree?.sha ?? null }
    },

    async commit({ branch, isNew, parent, message, files: changed }, signal) {
      if (isNew) {
        const body = { new_branch_name: branch, old_ref_name: parent }
        await client.call({ method: 'POST', path: `${base}/branches`, body, reply: null }, signal)
      }
      const files = changed.map(({ path, operation, content, formerId }) => {
        return {
          path,
          operation,
          ...(content === null ? {} : { content }),
          ...(formerId === null ? {} : { sha: formerId }),
        }
      })
      const body = { branch, message, files }
      const { commit } = await client.call(
        { method: 'POST', path: `${base}/contents`, body, reply: filesSchema },
        signal,
      )
      return { id: commit.sha, parents: commit.parents.map(({ sha }) => sha) }
    },
  }
}
