import { beforeEach, expect, it } from 'vitest'
import { withLeaseDeps } from '../support/with-lease-deps.ts'
import { AppError } from '../../src/contract/app-error.ts'
import { diffCommits, listCommits } from '../../src/git/commits/diff-commits.ts'
import type { CodeHostCapabilities } from '../../src/contract/code-hosts.ts'
import { upsertComment } from '../../src/codehost/upsert-comment.ts'
import type { CodeHost, OpenPullRequestInput, PullRequest, PullRequestCheck } from '../../src/codehost/code-host.ts'

/** A host with a repository whose default branch has one commit. */
export interface CodeHostHarness {
  host: CodeHost
  /** The tip of the default branch. */
  base: string
  /** Writes a commit that changes a file into the repository of `openBase`; moves no branch. @returns Its id. */
  writeCommit(change: { parent: string; path: string; text: string }): Promise<string>
  /** Commits to a branch as another user; a new branch starts at the default one. @returns The new tip. */
  commitTo(branch: string, change: { path: string; text: string }): Promise<string>
  /** Merges as a person would on the host. */
  merge(id: string): Promise<void>
  /** Users of the host: the repository's owner, and one without access. */
  users: { owner: string; stranger: string }
  /** What people see of a pull request on the host. */
  look(id: string): Promise<{ comments: string[]; labels: string[]; reviewers: string[] }>
  /** The repository's issues. Absent if the kind has none. */
  listIssues?(): readonly { title: string; body: string }[]
  /** What the newest check of each name says, in the host's words. Absent if the kind has none. */
  listChecks?(id: string): Promise<Readonly<Record<string, string>>>
  /** The repository's webhooks. Absent if the credential may not add any. */
  listWebhooks?(): { url: string; secret: string }[]
}

/** Reasons why a host lacks a capability; its tests are skipped with that reason. */
export type LackingCapabilities = Partial<Record<keyof CodeHostCapabilities, string>>

/** Behaviour the agent relies on with any host. */
export function declareCodeHostTests(open: () => Promise<CodeHostHarness>, lacking: LackingCapabilities = {}): void {
  const { signal } = new AbortController()
  let harness: CodeHostHarness
  let host: CodeHost
  let base: string

  beforeEach(async () => {
    harness = await open()
    host = harness.host
    base = harness.base
  })

  /** A branch with a change, without the cost of a push. */
  const branchOff = (branch: string) => harness.commitTo(branch, { path: 'page.md', text: branch })

  /** @returns The branch's new tip: the commit itself, or the host's own version of it. */
  async function push(branch: string, text = branch): Promise<string> {
    const commit = await harness.writeCommit({ parent: base, path: 'page.md', text })
    return pushCommit({ branch, commit, expected: null })
  }

  async function pushCommit(input: { branch: string; commit: string; expected: string | null }): Promise<string> {
    const pushed = await host.pushBranch(input, signal)
    expect(pushed.outcome).toBe('pushed')
    return pushed.commit ?? ''
  }

  /** A host may compute mergeability only after it is first asked. */
  async function readMergeability(id: string): Promise<boolean | null> {
    let pullRequest: PullRequest = await host.readPullRequest(id, signal)
    for (let reads = 0; pullRequest.isMergeable === null && reads < 20; reads++) {
      pullRequest = await host.readPullRequest(id, signal)
    }
    return pullRequest.isMergeable
  }

  /** All but mergeability, which a host may not know yet. */
  const lasting = ({ isMergeable: _isMergeable, ...pullRequest }: PullRequest) => pullRequest

  const toIssue = (mark: string) => ({ title: 'A message', body: `${mark}\nHelp.` })

  const request = (branch: string, change: Partial<OpenPullRequestInput> = {}): OpenPullRequestInput => ({
    branch,
    base: null,
    title: 'A change',
    body: 'Why.',
    isDraft: false,
    jobId: 'job_1',
    checks: [],
    ...change,
  })

  it('opens an issue once, or says that it has none', async () => {
    const open = (mark: string) =>
      host.openIssue({ mark, title: 'A message', body: 'Help.' }, signal).then(
        ({ url }) => url,
        (error: unknown) => (error instanceof AppError ? error.code : error),
      )

    const [first, again, other] = [await open('<!-- 1 -->'), await open('<!-- 1 -->'), await open('<!-- 2 -->')]

    expect(again).toBe(first)
    expect(other === first).toBe(harness.listIssues === undefined)
    expect(first === 'invalid_request').toBe(harness.listIssues === undefined)
    const issues = harness.listIssues?.() ?? ['<!-- 1 -->', '<!-- 2 -->'].map((mark) => toIssue(mark))
    expect(issues).toMatchObject([toIssue('<!-- 1 -->'), toIssue('<!-- 2 -->')])
  })

  it('reports a check of a commit in place of the earlier one of its name', async () => {
    const commit = await push('checked')
    const { id } = await host.openPullRequest(request('checked'), signal)
    const report = async (state: PullRequestCheck['state']) => {
      const check = { name: 'Answers', state, summary: 'One answer is worse.' }
      await host.reportCheck({ id, commit, check }, signal)
      return Object.entries((await harness.listChecks?.(id)) ?? {})
    }

    const [failed, passed] = [await report('failed'), await report('passed')]

    const states = [failed, passed].flatMap((checks) => checks.map(([name, state]) => `${name} ${state}`))
    expect(states.join(', ')).toMatch(
      harness.listChecks === undefined ? /^$/ : /^Answers fail\w*, Answers (?:passed|success\w*)$/,
    )
  })

  it('reports its default branch and tip', async () => {
    const { defaultBranch } = await host.readSource(signal)

    expect(await host.resolveBranch(null, signal)).toEqual({ branch: defaultBranch, commit: base })
    expect(await host.resolveBranch(defaultBranch, signal)).toEqual({ branch: defaultBranch, commit: base })
  })

  it.each(['nowhere', '--output=x', 'a..b', '-x', 'HEAD', 'refs/heads/main', ''])(
    'refuses the branch %j with an explanation',
    async (name) => {
      await expect(host.resolveBranch(name, signal)).rejects.toThrow(AppError)
    },
  )

  it('moves a branch only from its expected commit', async () => {
    const first = await push('topic')
    const second = await harness.writeCommit({ parent: first, path: 'page.md', text: 'Second' })
    const third = await harness.writeCommit({ parent: first, path: 'page.md', text: 'Third' })

    const moved = await pushCommit({ branch: 'topic', commit: second, expected: first })
    const late = await host.pushBranch({ branch: 'topic', commit: third, expected: first }, signal)
    const again = await host.pushBranch({ branch: 'topic', commit: second, expected: first }, signal)

    expect([late, again]).toEqual([
      { outcome: 'moved', commit: moved },
      { outcome: 'pushed', commit: moved },
    ])
    expect((await host.resolveBranch('topic', signal)).commit).toBe(moved)
  })

  it('pushes the files and message of a commit on top of its parent', async () => {
    const first = await push('topic')
    const second = await harness.writeCommit({ parent: first, path: 'guides/new page.md', text: 'Second' })

    const moved = await pushCommit({ branch: 'topic', commit: second, expected: first })

    const { gitDirectory, joinHistory, close } = await host.openBase(moved, signal)
    await joinHistory([first, moved], signal)
    const read = (commit: string) => listCommits({ gitDirectory, from: first, to: commit }, signal)
    const [given, pushed] = [await read(second), await read(moved)]
    const { files } = await diffCommits({ gitDirectory, from: second, to: moved }, signal)
    await close()
    expect(pushed).toHaveLength(1)
    expect(pushed[0]).toMatchObject({ parents: [first], message: given[0]?.message })
    expect(files).toEqual([])
  })

  it('never moves the default branch by a push', async () => {
    const { defaultBranch } = await host.readSource(signal)
    const commit = await harness.writeCommit({ parent: base, path: 'page.md', text: 'Direct' })

    await expect(host.pushBranch({ branch: defaultBranch, commit, expected: base }, signal)).rejects.toThrow(AppError)

    expect((await host.resolveBranch(null, signal)).commit).toBe(base)
  })

  it('refuses an unknown commit', async () => {
    await expect(host.openBase('1'.repeat(40), signal)).rejects.toThrow(AppError)
    await expect(host.openBase('HEAD', signal)).rejects.toThrow(AppError)
  })

  it('opens one pull request per branch and updates it', async () => {
    const commit = await branchOff('topic')
    expect(await host.findPullRequest({ branch: 'topic' }, signal)).toBeNull()

    const opened = await host.openPullRequest(request('topic', { isDraft: true }), signal)
    const again = await host.openPullRequest(request('topic', { title: 'A better one' }), signal)

    expect(opened).toMatchObject({ state: 'open', number: 1, head: { branch: 'topic', commit }, mergeCommit: null })
    expect(opened.isDraft).toBe(host.capabilities.drafts)
    expect([opened.isFromFork, again.isFromFork]).toEqual([false, false])
    expect(again).toMatchObject({ id: opened.id, url: opened.url, title: 'A better one', isDraft: false })
    expect(await host.findPullRequest({ branch: 'topic' }, signal)).toMatchObject(lasting(again))
    expect(await host.readPullRequest(opened.id, signal)).toMatchObject(lasting(again))
  })

  it('opens one pull request for concurrent calls', async () => {
    await branchOff('topic')

    const opened = await Promise.all(Array.from({ length: 4 }, () => host.openPullRequest(request('topic'), signal)))

    expect(new Set(opened.map(({ id }) => id)).size).toBe(1)
  })

  it('shows the current tip of a branch in its pull request', async () => {
    const first = await push('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)
    const second = await harness.writeCommit({ parent: first, path: 'page.md', text: 'Second' })
    const commit = await pushCommit({ branch: 'topic', commit: second, expected: first })

    expect((await host.readPullRequest(id, signal)).head).toEqual({ branch: 'topic', commit })
  })

  it('recognizes a merged pull request and opens a new one for the branch', async () => {
    const commit = await push('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)

    await harness.merge(id)

    const merged = await host.readPullRequest(id, signal)
    expect(merged).toMatchObject({ state: 'merged', head: { commit } })
    expect((await host.resolveBranch(null, signal)).commit).toBe(merged.mergeCommit)
    expect((await host.findPullRequest({ branch: 'topic' }, signal))?.state).toBe('merged')

    const more = await harness.writeCommit({ parent: commit, path: 'page.md', text: 'More' })
    await pushCommit({ branch: 'topic', commit: more, expected: commit })
    expect((await host.openPullRequest(request('topic'), signal)).id).not.toBe(id)
  })

  it('closes a pull request, and leaves an ended one unchanged', async () => {
    await branchOff('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)

    const closed = await host.closePullRequest(id, signal)

    expect(closed.state).toBe('closed')
    expect(await host.closePullRequest(id, signal)).toEqual(closed)
    expect(await host.updatePullRequest({ id, title: 'Later' }, signal)).toMatchObject({
      state: 'closed',
      title: 'Later',
    })
  })

  it('cuts long texts instead of refusing them', async () => {
    await branchOff('topic')

    const opened = await host.openPullRequest(
      request('topic', { title: `One\ntwo ${'x'.repeat(500)}`, body: 'y'.repeat(100_000) }),
      signal,
    )

    expect(opened.title).toMatch(/^One two x+$/)
    expect(opened.title.length).toBeLessThanOrEqual(200)
    expect(opened.body.length).toBeLessThanOrEqual(60_000)
  })

  it('takes comments, and refuses an unknown pull request', async () => {
    await branchOff('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)

    const { commentId } = await host.comment({ id, body: 'Base has moved.' }, signal)
    await host.comment({ id, body: 'And again.' }, signal)
    await host.editComment({ id, commentId, body: 'Base has moved, and was merged.' }, signal)

    expect((await harness.look(id)).comments).toEqual(['Base has moved, and was merged.', 'And again.'])
    await expect(host.editComment({ id, commentId: '404404', body: 'x' }, signal)).rejects.toThrow(AppError)
    await expect(host.comment({ id: 'pr_none', body: 'x' }, signal)).rejects.toThrow(AppError)
    await expect(host.readPullRequest('pr_none', signal)).rejects.toThrow(AppError)
  })

  it('finds the oldest comment that begins with a mark, and none that only quotes it', async () => {
    await branchOff('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)
    const mark = '<!-- docent:mark -->'

    const before = await host.findComment({ id, mark }, signal)
    await host.comment({ id, body: `See ${mark}` }, signal)
    const { commentId } = await host.comment({ id, body: `${mark}\nFirst.` }, signal)
    await host.comment({ id, body: `${mark}\nSecond.` }, signal)

    expect([before, await host.findComment({ id, mark }, signal)]).toEqual([null, { commentId }])
  })

  it('keeps one comment of a feature up to date, and adds none that is not needed', async () => {
    await branchOff('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)
    const mark = { name: 'drift', key: Buffer.from('key'), subject: 'site' }

    await withLeaseDeps(async (deps) => {
      await upsertComment(deps, host, { id, mark, body: 'Nothing.', isNeeded: false }, signal)
      await upsertComment(deps, host, { id, mark, body: 'Two places.' }, signal)
      await upsertComment(deps, host, { id, mark, body: 'None.', isNeeded: false }, signal)
    })

    const { comments } = await harness.look(id)
    expect(comments.map((text) => text.split('\n').at(-1))).toEqual(['None.'])
  })

  it('keeps one webhook per address, and updates its secret', async ({ skip }) => {
    skip(lacking.webhooks !== undefined, lacking.webhooks)
    skip(harness.listWebhooks === undefined, 'an App needs no webhooks, because it has its own')
    const url = 'https://docs.example.com/webhooks/site_1'

    const first = await host.ensureWebhook({ url, secret: 'one' }, signal)
    const second = await host.ensureWebhook({ url, secret: 'two' }, signal)
    const other = await host.ensureWebhook({ url: `${url}2`, secret: 'three' }, signal)

    expect([first, second, other]).toEqual(['added', 'updated', 'added'])
    expect(harness.listWebhooks?.().map(({ url, secret }) => [url, secret])).toEqual([
      [url, 'two'],
      [`${url}2`, 'three'],
    ])
  })

  it('declares the capabilities it lacks', () => {
    const lacks = Object.entries(host.capabilities).flatMap(([name, has]) => (has ? [] : [name]))

    expect(lacks.toSorted()).toEqual(Object.keys(lacking).toSorted())
  })

  it('adds labels to the existing ones', async ({ skip }) => {
    skip(lacking.labels !== undefined, lacking.labels)
    await branchOff('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)

    await host.addLabels({ id, labels: ['documentation'] }, signal)
    await host.addLabels({ id, labels: ['documentation', 'docent'] }, signal)

    expect((await harness.look(id)).labels.toSorted()).toEqual(['docent', 'documentation'])
  })

  it('asks people for a review', async ({ skip }) => {
    skip(lacking.reviewers !== undefined, lacking.reviewers)
    await branchOff('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)

    await host.requestReviewers({ id, reviewers: [harness.users.owner] }, signal)
    await host.requestReviewers({ id, reviewers: [] }, signal)

    expect((await harness.look(id)).reviewers).toEqual([harness.users.owner])
  })

  it('reports whether a pull request merges cleanly', async ({ skip }) => {
    skip(lacking.mergeability !== undefined, lacking.mergeability)
    await branchOff('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)
    expect(await readMergeability(id)).toBe(true)

    await harness.commitTo('main', { path: 'page.md', text: 'Another' })

    expect(await readMergeability(id)).toBe(false)
    await host.closePullRequest(id, signal)
    expect((await host.readPullRequest(id, signal)).isMergeable).toBeNull()
  })

  it('opens drafts and marks them ready, if supported', async () => {
    await branchOff('topic')
    const { id } = await host.openPullRequest(request('topic', { isDraft: true }), signal)

    const ready = await host.updatePullRequest({ id, isDraft: false }, signal)
    const draft = await host.updatePullRequest({ id, isDraft: true }, signal)

    expect([ready.isDraft, draft.isDraft]).toEqual([false, host.capabilities.drafts])
  })

  it('reports what a user may do', async () => {
    const { owner, stranger } = harness.users

    expect(await host.readPermission(owner, signal)).toBe('admin')
    expect(await host.readPermission(stranger, signal)).toBe('none')
  })

  it('finds every permission granted, each with an explanation', async () => {
    const checks = await host.checkAccess(signal)

    expect(checks.length).toBeGreaterThan(0)
    expect(checks.filter(({ state }) => state === 'missing')).toEqual([])
    for (const { permission, message } of checks) {
      expect(permission).not.toBe('')
      expect(message).toMatch(/^[A-Z].+\.$/)
    }
  })
}
