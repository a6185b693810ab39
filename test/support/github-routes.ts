import type { GithubRoute } from '../../src/codehost/github/github-operations.ts'
import type { ForgeHook, ForgeHooks } from './forge-hooks.ts'
import { type GithubPulls, GithubRefusal } from './github-pulls.ts'
import type { GithubRepository, GithubTreeEntry } from './github-repository.ts'
import type { GithubRequest } from './github-requests.ts'

/** What a fake of GitHub answers from. */
export interface GithubState {
  path: string
  repository: GithubRepository
  pulls: GithubPulls
  hooks: ForgeHooks
  issues: { title: string; body: string; html_url: string }[]
  /** What the newest check of each name says. */
  checks: Record<string, string>
  /** Users of the repository. */
  users: Readonly<Record<string, 'admin' | 'write' | 'read'>>
  /** What the App was granted in this repository. */
  granted: Readonly<Record<string, string>>
  /** @returns The token of an installation. */
  makeToken(permissions: Readonly<Record<string, string>>): { token: string; expires_at: string }
}

type Answer = (state: GithubState, request: GithubRequest) => { status?: number; body: unknown }

/** The requests are held against GitHub's description before they come here, so that their types are known. */
interface Bodies {
  ref: { ref: string; sha: string }
  update: { sha: string; force?: boolean }
  blob: { content: string; encoding: BufferEncoding }
  tree: { base_tree?: string; tree: GithubTreeEntry[] }
  commit: { message: string; tree: string; parents: string[] }
  pull: { title: string; body?: string; head: string; base: string; draft?: boolean }
  change: { title?: string; body?: string; state?: 'closed' }
  text: { body: string }
  issue: { title: string; body: string }
  labels: { labels: string[] }
  label: { name: string; color?: string }
  reviewers: { reviewers: string[] }
  run: { name: string; conclusion: string }
  status: { context: string; state: string }
  hook: { config: { url: string; secret: string } }
  token: { repositories?: string[]; permissions?: Record<string, string> }
}

function bodyOf<Name extends keyof Bodies>(_name: Name, { body }: GithubRequest): Bodies[Name] {
  return body as unknown as Bodies[Name]
}

const numberOf = (value: string | undefined): number => Number(value)

function readHook(request: GithubRequest): Omit<ForgeHook, 'id'> {
  const { url, secret } = bodyOf('hook', request).config
  return { url, secret, given: request.body }
}

/** Secrets are not shown again. */
function showHook({ id, url }: ForgeHook): object {
  return { id, active: true, config: { url, content_type: 'json', secret: '********' } }
}

export const githubAnswers: Readonly<Record<GithubRoute, Answer>> = {
  'GET /repos/{owner}/{repo}': ({ path }) => ({ body: { full_name: path, default_branch: 'main' } }),
  'GET /repos/{owner}/{repo}/git/ref/{ref}': ({ repository }, { parameters }) => {
    const sha = repository.readRef(`refs/${parameters['ref']}`)
    if (sha === null) throw new GithubRefusal(404, 'Not Found')
    return { body: { object: { sha } } }
  },
  'POST /repos/{owner}/{repo}/git/refs': ({ repository }, request) => {
    const { ref, sha } = bodyOf('ref', request)
    if (repository.readRef(ref) !== null) throw new GithubRefusal(422, 'Reference already exists')
    if (repository.readCommit(sha) === null) throw new GithubRefusal(422, 'Object does not exist')
    repository.updateRef(ref, sha)
    return { status: 201, body: { object: { sha } } }
  },
  'PATCH /repos/{owner}/{repo}/git/refs/{ref}': ({ repository }, request) => {
    const { sha, force = false } = bodyOf('update', request)
    const ref = `refs/${request.parameters['ref']}`
    const before = repository.readRef(ref)
    if (before === null) throw new GithubRefusal(422, 'Reference does not exist')
    if (repository.readCommit(sha) === null) throw new GithubRefusal(422, 'Object does not exist')
    if (!force && !repository.isAncestor(before, sha)) throw new GithubRefusal(422, 'Update is not a fast forward')
    repository.updateRef(ref, sha)
    return { body: { object: { sha } } }
  },
  'GET /repos/{owner}/{repo}/git/commits/{commit_sha}': ({ repository }, { parameters }) => {
    const sha = parameters['commit_sha'] ?? ''
    const commit = repository.readCommit(sha)
    if (commit === null) throw new GithubRefusal(404, 'Not Found')
    const { message, tree, parents } = commit
    return { body: { sha, message, tree: { sha: tree }, parents: parents.map((id) => ({ sha: id })) } }
  },
  'POST /repos/{owner}/{repo}/git/blobs': ({ repository }, request) => {
    const { content, encoding } = bodyOf('blob', request)
    return { status: 201, body: { sha: repository.writeBlob(Buffer.from(content, encoding)) } }
  },
  'POST /repos/{owner}/{repo}/git/trees': ({ repository }, request) => {
    const { base_tree: base = null, tree } = bodyOf('tree', request)
    return { status: 201, body: { sha: repository.writeTree(base, tree) } }
  },
  'POST /repos/{owner}/{repo}/git/commits': ({ repository }, request) => {
    return { status: 201, body: { sha: repository.writeCommit(bodyOf('commit', request)) } }
  },
  'GET /repos/{owner}/{repo}/pulls': ({ pulls }, { parameters }) => ({
    body: pulls.list({ head: parameters['head'] ?? null, state: parameters['state'] ?? 'open' }),
  }),
  'POST /repos/{owner}/{repo}/pulls': ({ pulls }, request) => ({
    status: 201,
    body: pulls.create(bodyOf('pull', request)),
  }),
  'GET /repos/{owner}/{repo}/pulls/{pull_number}': ({ pulls }, { parameters }) => ({
    body: pulls.describe(numberOf(parameters['pull_number']), true),
  }),
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}': ({ pulls }, request) => ({
    body: pulls.update(numberOf(request.parameters['pull_number']), bodyOf('change', request)),
  }),
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers': ({ pulls, users }, request) => {
    const { reviewers } = bodyOf('reviewers', request)
    if (reviewers.some((name) => users[name] === undefined)) {
      throw new GithubRefusal(422, 'Reviews may only be requested from collaborators.')
    }
    return { status: 201, body: pulls.requestReviewers(numberOf(request.parameters['pull_number']), reviewers) }
  },
  'POST /repos/{owner}/{repo}/check-runs': ({ checks }, request) => {
    const { name, conclusion } = bodyOf('run', request)
    checks[name] = conclusion
    return { status: 201, body: {} }
  },
  'POST /repos/{owner}/{repo}/statuses/{sha}': ({ checks }, request) => {
    const { context, state } = bodyOf('status', request)
    checks[context] = state
    return { status: 201, body: {} }
  },
  'GET /repos/{owner}/{repo}/issues': ({ issues }) => ({ body: issues.toReversed() }),
  'POST /repos/{owner}/{repo}/issues': ({ path, issues }, request) => {
    const { title, body } = bodyOf('issue', request)
    const html_url = `https://github.com/${path}/issues/${issues.length + 1}`
    issues.push({ title, body, html_url })
    return { status: 201, body: issues.at(-1) }
  },
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': ({ pulls }, request) => ({
    status: 201,
    body: pulls.addComment(numberOf(request.parameters['issue_number']), bodyOf('text', request).body),
  }),
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': ({ pulls }, { parameters }) => {
    const [perPage, page] = [Number(parameters['per_page'] ?? 30), Number(parameters['page'] ?? 1)]
    return {
      body: pulls.listComments(numberOf(parameters['issue_number'])).slice((page - 1) * perPage, page * perPage),
    }
  },
  'GET /repos/{owner}/{repo}/hooks': ({ hooks }) => ({ body: hooks.all.map(showHook) }),
  'POST /repos/{owner}/{repo}/hooks': ({ hooks }, request) => {
    const given = readHook(request)
    if (hooks.all.some(({ url }) => url === given.url)) {
      throw new GithubRefusal(422, 'Validation Failed: Hook already exists on this repository')
    }
    return { status: 201, body: showHook(hooks.add(given)) }
  },
  'PATCH /repos/{owner}/{repo}/hooks/{hook_id}': ({ hooks }, request) => {
    const changed = hooks.change(numberOf(request.parameters['hook_id']), readHook(request))
    if (changed === null) throw new GithubRefusal(404, 'Not Found')
    return { body: showHook(changed) }
  },
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': ({ pulls }, request) => ({
    body: pulls.editComment(numberOf(request.parameters['comment_id']), bodyOf('text', request).body),
  }),
  'POST /repos/{owner}/{repo}/issues/{issue_number}/labels': ({ pulls }, request) => ({
    body: pulls.addLabels(numberOf(request.parameters['issue_number']), bodyOf('labels', request).labels),
  }),
  'POST /repos/{owner}/{repo}/labels': (_state, request) => {
    const { name, color = 'ededed' } = bodyOf('label', request)
    if (!/^[0-9a-f]{6}$/i.test(color)) throw new GithubRefusal(422, 'Validation Failed: color is invalid')
    return { status: 201, body: { name } }
  },
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission': ({ users }, { parameters }) => {
    const permission = users[parameters['username'] ?? '']
    if (permission === undefined) throw new GithubRefusal(404, 'Not Found')
    return { body: { permission } }
  },
  'GET /repos/{owner}/{repo}/installation': ({ granted }) => ({ body: { id: 7, permissions: granted } }),
  'POST /app/installations/{installation_id}/access_tokens': ({ granted, path, makeToken }, request) => {
    const { repositories = [], permissions = {} } = bodyOf('token', request)
    const isGranted = Object.entries(permissions).every(
      ([name, level]) => granted[name] === 'write' || granted[name] === level,
    )
    if (!isGranted) throw new GithubRefusal(422, 'The permissions requested are not granted to this installation.')
    if (repositories.some((name) => name !== path.split('/')[1])) {
      throw new GithubRefusal(422, 'There is at least one repository that does not exist or is not accessible.')
    }
    return { status: 201, body: makeToken(permissions) }
  },
  'POST /app-manifests/{code}/conversions': () => {
    throw new GithubRefusal(404, 'Not Found')
  },
}
