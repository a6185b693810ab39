import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openGithubHost } from '../../../test/support/github-host.ts'
import {
  everything,
  type GithubScript,
  type GithubServerOptions,
  removeGithubTemplate,
  startGithubServer,
} from '../../../test/support/github-server.ts'
import type { OpenPullRequestInput } from '../code-host.ts'
import { ForgeError } from '../forge/forge-error.ts'
import type { ForgeCredential } from '../forge/forge-host.ts'

const { signal } = new AbortController()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(removeGithubTemplate)

interface SetupOptions extends GithubServerOptions {
  /** The repository name configured for the site. */
  knownAs?: string
  credential?: 'app' | 'verified app' | 'token' | 'withdrawn token' | 'none'
  /** Permissions of the token. */
  permissions?: Readonly<Record<string, string>>
}

async function setup({ knownAs, credential = 'app', permissions = everything, ...options }: SetupOptions = {}) {
  const github = await startGithubServer(options)
  closing.push(() => github.stop())
  const app = { kind: 'github-app' as const, ...github.app, installationId: null }
  const token = (text: string): ForgeCredential => ({ kind: 'token', username: 'x', token: text })
  const credentials = {
    app: () => app,
    'verified app': () => ({ ...app, wantsVerifiedCommits: true }),
    token: () => token(github.addToken(permissions)),
    'withdrawn token': () => token('ghp_withdrawn'),
    none: () => null,
  }
  const place = { origin: github.origin, path: knownAs ?? github.path }
  const opened = await openGithubHost(place, credentials[credential]())
  closing.push(() => opened.close())
  const base = github.state.repository.readRef('refs/heads/main') ?? ''
  const push = async (branch = 'topic', parent = base) => {
    const commit = await opened.writeCommit({ parent, path: 'page.md', text: `${branch} of ${parent}` })
    return { commit, outcome: await opened.host.pushBranch({ branch, commit, expected: null }, signal) }
  }
  return { ...opened, github, base, push }
}

const pullRequest: OpenPullRequestInput = {
  branch: 'topic',
  base: null,
  title: 'A change',
  body: 'Why.',
  isDraft: false,
  jobId: 'job_1',
  checks: [],
}

async function fail(promise: Promise<unknown>): Promise<ForgeError> {
  const error: unknown = await promise.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ForgeError)
  return error as ForgeError
}

type Intercept = NonNullable<GithubServerOptions['intercept']>

/** Answers the first requests of a route from the list, and leaves the rest to the server. */
function answerFirst(route: string, scripts: readonly GithubScript[]): Intercept {
  const left = [...scripts]
  return (request) => (request.route === route ? (left.shift() ?? null) : null)
}

const refusal = (status: number, message: string, headers = {}): GithubScript => ({
  status,
  headers,
  body: { message },
})

describe('a credential', () => {
  it('that expires during a job is reissued, for the API and for git', async () => {
    const { host, github, push } = await setup()
    await push()

    github.withdrawTokens()
    const opened = await host.openPullRequest(pullRequest, signal)
    github.withdrawTokens()
    const tip = await host.resolveBranch('topic', signal)

    expect(opened.head).toEqual(tip)
    expect(github.routes.filter((route) => route.endsWith('/access_tokens'))).toHaveLength(3)
  })

  it('is issued once for many calls, with no more permissions than needed', async () => {
    const { host, github, push } = await setup({ granted: { ...everything, administration: 'write', secrets: 'read' } })

    await push()
    await host.openPullRequest(pullRequest, signal)

    expect(github.routes.filter((route) => route.endsWith('/access_tokens'))).toHaveLength(1)
    expect([...github.tokens.values()]).toEqual([everything])
  })

  it('that a person replaces is used from then on', async () => {
    const { host, github, setCredential } = await setup({ credential: 'withdrawn token' })
    expect(await fail(host.readSource(signal))).toMatchObject({ reason: 'unauthorized', code: 'code_host_refused' })

    setCredential({ kind: 'token', username: 'x', token: github.addToken(everything) })

    expect(await host.readSource(signal)).toEqual({ repository: 'acme/docs', defaultBranch: 'main' })
  })

  it('is never in a message or in the log', async () => {
    const { host, github, lines } = await setup({
      credential: 'withdrawn token',
      intercept: answerFirst('GET /repos/{owner}/{repo}', [refusal(422, 'You sent ghp_withdrawn to us')]),
    })

    const error = await fail(host.readSource(signal))

    expect(error.message).toContain('You sent (hidden) to us')
    expect(`${lines.join('')}${github.violations.join('')}`).not.toContain('ghp_withdrawn')
  })

  it('that is missing is asked for before anything is pushed', async () => {
    const { host, base } = await setup({ credential: 'none' })

    const error = await fail(host.pushBranch({ branch: 'topic', commit: base, expected: null }, signal))

    expect(error.message).toMatch(/does not show acme\/docs|needs a credential/)
  })

  it('whose key does not belong to the App is told apart', async () => {
    const { host, github, setCredential } = await setup()
    setCredential({ kind: 'github-app', appId: '1', privateKey: github.app.privateKey, installationId: null })
    const other = await fail(host.readSource(signal))
    setCredential({ kind: 'github-app', appId: '4711', privateKey: 'no key', installationId: null })
    const broken = await fail(host.readSource(signal))

    expect(other.message).toMatch(/does not know the App: its id and private key do not match/)
    expect(broken.message).toMatch(/The private key of the App cannot be read\. Provide the unmodified \.pem file/)
  })

  it('of an App that is not installed for the repository says so', async () => {
    const route = 'GET /repos/{owner}/{repo}/installation'
    const { host } = await setup({ intercept: answerFirst(route, [refusal(404, 'Not Found')]) })

    expect((await fail(host.readSource(signal))).message).toMatch(
      /The App is not installed for acme\/docs .* Install it/,
    )
  })
})

describe('a refusal', () => {
  it('for a missing permission names it and where to grant it', async () => {
    const { pull_requests: _none, ...granted } = everything
    const app = await setup({ granted })
    await app.push()
    const ofApp = await fail(app.host.openPullRequest(pullRequest, signal))
    const token = await setup({ credential: 'token', permissions: granted })
    await token.push()
    const ofToken = await fail(token.host.openPullRequest(pullRequest, signal))

    expect(ofApp).toMatchObject({ reason: 'forbidden', code: 'code_host_refused' })
    expect(ofApp.message).toBe(
      'The permission "Pull requests: Read-only" is missing for acme/docs. Grant it under Permissions & events of the App, and accept the change where it is installed.',
    )
    expect(ofToken.message).toMatch(/"Pull requests: Read-only" .* Developer settings → Fine-grained tokens/)
  })

  it('names the permission that GitHub names', async () => {
    const headers = { 'x-accepted-github-permissions': 'contents=write,workflows=write; administration=write' }
    const refused = refusal(403, 'Resource not accessible by integration', headers)
    const { host } = await setup({ intercept: answerFirst('GET /repos/{owner}/{repo}', [refused]) })

    expect((await fail(host.readSource(signal))).message).toMatch(
      /^The permission "Contents: Read and write and Workflows: Read and write" is missing/,
    )
  })

  const sentences: [status: number, words: string, reason: ForgeError['reason'], sentence: RegExp][] = [
    [
      404,
      'Not Found',
      'not-found',
      /does not show acme\/docs: it does not exist, or the credential has no access to it/,
    ],
    [403, 'Repository was archived so is read-only.', 'forbidden', /is archived and read-only\. Unarchive/],
    [403, 'Resource protected by organization SAML enforcement.', 'forbidden', /single sign-on\. Authorize the token/],
    [403, 'Something else', 'forbidden', /it says "Something else"\. Check the repository's rules/],
    [409, 'Git Repository is empty.', 'conflict', /it says "Git Repository is empty\."\. Try again\./],
    [422, 'Validation Failed', 'invalid', /rejected the request for acme\/docs: it says "Validation Failed"\./],
    [451, 'Blocked', 'not-found', /does not show/],
  ]
  it.each(sentences)('%i %j is explained', async (status, words, reason, sentence) => {
    const { host } = await setup({ intercept: answerFirst('GET /repos/{owner}/{repo}', [refusal(status, words)]) })

    const error = await fail(host.readSource(signal))

    expect(error.reason).toBe(reason)
    expect(error.message).toMatch(sentence)
  })

  it('of the answer’s form is told too', async () => {
    const { host } = await setup({
      intercept: answerFirst('GET /repos/{owner}/{repo}', [{ status: 200, body: { full_name: 7 } }]),
    })

    expect((await fail(host.readSource(signal))).message).toMatch(/sent an unexpected reply at GET \/repos/)
  })
})

describe('a transient failure', () => {
  it('is repeated: faults of GitHub, limits, and connections that break', async () => {
    const scripts: GithubScript[] = [
      { status: 500 },
      'break',
      refusal(403, 'You have exceeded a secondary rate limit.', { 'retry-after': '2' }),
      refusal(429, 'Too many requests', { 'retry-after': '1' }),
    ]
    const { host, waits } = await setup({ intercept: answerFirst('GET /repos/{owner}/{repo}', scripts) })

    expect((await host.readSource(signal)).repository).toBe('acme/docs')
    expect(waits.slice(2)).toEqual([2_000, 1_000])
  })

  it('opens one pull request when the answer to its opening is lost', async () => {
    const { host, github, push } = await setup()
    await push()
    const { number } = await host.openPullRequest(pullRequest, signal)
    const lost = await setup({ intercept: answerFirst('GET /repos/{owner}/{repo}/pulls', [{ status: 200, body: [] }]) })
    await lost.push()
    lost.github.state.pulls.create({ title: 'By the first try', head: 'topic', base: 'main' })

    const opened = await lost.host.openPullRequest(pullRequest, signal)

    expect([number, github.violations]).toEqual([1, []])
    expect(opened).toMatchObject({ number: 1, title: 'A change', body: 'Why.' })
  })

  it('never comments twice', async () => {
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
    const { host, github, push } = await setup({ intercept: answerFirst(route, [{ status: 502 }]) })
    await push()
    const { id } = await host.openPullRequest(pullRequest, signal)

    expect(await fail(host.comment({ id, body: 'Hello' }, signal))).toMatchObject({ reason: 'unavailable' })
    expect(github.routes.filter((asked) => asked === route)).toHaveLength(1)
  })

  it('opens a pull request without a draft where the plan has none', async () => {
    const refused = refusal(422, 'Draft pull requests are not supported in this repository.')
    const { host, push } = await setup({ intercept: answerFirst('POST /repos/{owner}/{repo}/pulls', [refused]) })
    await push()

    expect((await host.openPullRequest({ ...pullRequest, isDraft: true }, signal)).isDraft).toBe(false)
  })
})

describe('a push', () => {
  it('that a rule forbids leaves nothing behind and says which rule', async () => {
    const words = 'Repository rule violations found; Cannot create ref due to creations being restricted.'
    const { host, github, writeCommit, base } = await setup({
      protectedRefs: ['refs/heads/docent/'],
      intercept: answerFirst('POST /repos/{owner}/{repo}/git/refs', [refusal(422, words)]),
    })
    const commit = await writeCommit({ parent: base, path: 'page.md', text: 'New' })

    const error = await fail(host.pushBranch({ branch: 'docent/one', commit, expected: null }, signal))

    expect(error).toMatchObject({ reason: 'forbidden' })
    expect(error.message).toMatch(/^A rule of acme\/docs .* "Repository rule violations found; Cannot create ref/)
    expect(github.state.repository.readRef('refs/heads/docent/one')).toBeNull()
  })

  it('uses the API where git cannot push, also after an attempt whose result was lost', async () => {
    const { host, github, base, writeCommit, lines, reopen } = await setup({
      intercept: ({ route }) => (route === 'GIT' && isClosed ? { status: 403 } : null),
    })
    let isClosed = false
    const commit = await writeCommit({ parent: base, path: 'page.md', text: 'New' })

    isClosed = true
    const first = await host.pushBranch({ branch: 'topic', commit, expected: null }, signal)
    isClosed = false
    const again = await reopen().pushBranch({ branch: 'topic', commit, expected: null }, signal)

    const tip = github.state.repository.readRef('refs/heads/topic')
    expect(first).toEqual({ outcome: 'pushed', commit: tip })
    expect(again).toEqual(first)
    expect(lines.join('')).toContain('push-continued-by-api')
  })

  it('of files of every kind through the API creates the same tree', async () => {
    const { host, github, base, writeCommit } = await setup({ credential: 'verified app' })
    const binary = Buffer.from([0, 255, 254, 1])
    const first = await writeCommit({ parent: base, path: 'images/ä 1.png', text: binary, message: 'An image' })
    const second = await writeCommit({ parent: first, path: 'page.md', text: 'ünïcode\r\n', message: 'A page\n\nWhy.' })

    const outcome = await host.pushBranch({ branch: 'topic', commit: second, expected: null }, signal)

    const { repository } = github.state
    const tip = repository.readCommit(outcome.commit ?? '')
    const before = repository.readCommit(tip?.parents[0] ?? '')
    expect([tip?.message, before?.message, before?.parents]).toEqual(['A page\n\nWhy.', 'An image', [base]])
    expect(repository.list(outcome.commit ?? '')).toEqual(['images/ä 1.png', 'page.md'])
    expect(repository.readFile(outcome.commit ?? '', 'images/ä 1.png')).toEqual(binary)
    expect(repository.readFile(outcome.commit ?? '', 'page.md').toString()).toBe('ünïcode\r\n')
    expect(github.violations).toEqual([])
  })

  it.each(['app', 'verified app'] as const)('of an %s finds the branch moved by a force push', async (credential) => {
    const { host, github, base, push, writeCommit } = await setup({ credential })
    const { outcome } = await push()
    const tip = outcome.commit ?? ''
    const next = await writeCommit({ parent: tip, path: 'page.md', text: 'Next' })
    const { repository } = github.state
    const tree = repository.writeTree(base, [{ path: 'other.md', mode: '100644', content: 'Theirs' }])
    const theirs = repository.writeCommit({ tree, parents: [base], message: 'Theirs' })
    repository.updateRef('refs/heads/topic', theirs)

    const forced = await host.pushBranch({ branch: 'topic', commit: next, expected: tip }, signal)
    repository.updateRef('refs/heads/topic', base)
    const putBack = await host.pushBranch({ branch: 'topic', commit: next, expected: tip }, signal)

    expect(forced).toEqual({ outcome: 'moved', commit: theirs })
    expect(putBack).toEqual({ outcome: 'moved', commit: base })
  })

  it('through the API that loses a race has moved nothing', async () => {
    const { host, github, base, push, writeCommit } = await setup({
      credential: 'verified app',
      intercept: ({ route }) => {
        if (route === 'PATCH /repos/{owner}/{repo}/git/refs/{ref}') race()
        return null
      },
    })
    let theirs = ''
    const race = () => {
      const { repository } = github.state
      const parent = repository.readRef('refs/heads/topic') ?? ''
      const tree = repository.writeTree(parent, [{ path: 'other.md', mode: '100644', content: 'Theirs' }])
      theirs = repository.writeCommit({ tree, parents: [parent], message: 'Theirs' })
      repository.updateRef('refs/heads/topic', theirs)
    }
    const tip = (await push()).outcome.commit ?? ''
    const next = await writeCommit({ parent: tip, path: 'page.md', text: 'Next' })

    const outcome = await host.pushBranch({ branch: 'topic', commit: next, expected: tip }, signal)

    expect(outcome).toEqual({ outcome: 'moved', commit: theirs })
    expect(base).not.toBe(tip)
  })
})

describe('a repository that was renamed', () => {
  it('is found by its former name, through the API and git, and reported', async () => {
    const { host, github, lines, push } = await setup({ knownAs: 'acme/old-docs' })

    const { outcome } = await push()
    const opened = await host.openPullRequest(pullRequest, signal)
    const found = await host.findPullRequest({ branch: 'topic' }, signal)
    const [check] = await host.checkAccess(signal)

    expect(opened.head.commit).toBe(outcome.commit)
    expect(found?.id).toBe(opened.id)
    expect(await host.readSource(signal)).toEqual({ repository: 'acme/docs', defaultBranch: 'main' })
    expect(check?.message).toMatch(/is now called acme\/docs\. .* change the address of the site's source\.$/)
    expect(lines.filter((line) => line.includes('repository-renamed'))).toHaveLength(1)
    expect(github.violations).toEqual([])
  })
})

describe('the check of a credential', () => {
  const statesOf = (checks: readonly { permission: string; state: string }[]) =>
    checks.map(({ permission, state }) => `${permission}: ${state}`)

  it('finds each permission that is missing, and changes nothing', async () => {
    const { host, github } = await setup({ credential: 'token', permissions: { contents: 'read', issues: 'write' } })
    const before = github.state.repository.readRef('refs/heads/main')

    const checks = await host.checkAccess(signal)

    expect(statesOf(checks)).toEqual([
      'Metadata: Read-only: granted',
      'Contents: Read-only: granted',
      'Contents: Read and write: missing',
      'Pull requests: Read and write: missing',
      'Issues: Read and write: granted',
    ])
    expect(checks[2]?.message).toMatch(/^The permission "Contents: Read and write" is missing for acme\/docs\./)
    expect(github.state.repository.readRef('refs/heads/main')).toBe(before)
    expect(github.state.pulls.list({ head: null, state: 'all' })).toEqual([])
  })

  it('reports what blocks all of them', async () => {
    const wrong = await setup({ credential: 'withdrawn token' })
    const down = await setup({ intercept: () => ({ status: 503 }) })

    expect(statesOf(await wrong.host.checkAccess(signal))).toEqual(['Metadata: Read-only: missing'])
    expect(statesOf(await down.host.checkAccess(signal))).toEqual(['Metadata: Read-only: unknown'])
  })
})
