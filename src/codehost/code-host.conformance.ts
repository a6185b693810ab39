import { beforeEach, expect, it } from 'vitest'
import { AppError } from '../contract/app-error.ts'
import type { CodeHost, OpenPullRequestInput } from './code-host.ts'

/** A host with a repository whose default branch has one commit. */
export interface CodeHostHarness {
  host: CodeHost
  /** Writes a commit that changes a file into the repository of `openBase`, and moves nothing. @returns Its id. */
  writeCommit(change: { parent: string; path: string; text: string }): Promise<string>
  /** Merges as a person does on the host. */
  merge(id: string): Promise<void>
}

/** What the agent relies on, whichever host a repository is on. */
export function declareCodeHostTests(open: () => Promise<CodeHostHarness>): void {
  const { signal } = new AbortController()
  let harness: CodeHostHarness
  let host: CodeHost
  let base: string

  beforeEach(async () => {
    harness = await open()
    host = harness.host
    base = (await host.resolveBranch(null, signal)).commit
  })

  async function push(branch: string, text = branch): Promise<string> {
    const commit = await harness.writeCommit({ parent: base, path: 'page.md', text })
    expect(await host.pushBranch({ branch, commit, expected: null }, signal)).toEqual({ outcome: 'pushed' })
    return commit
  }

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

  it('names its default branch and its tip', async () => {
    const { defaultBranch } = await host.readSource(signal)

    expect(await host.resolveBranch(null, signal)).toEqual({ branch: defaultBranch, commit: base })
    expect(await host.resolveBranch(defaultBranch, signal)).toEqual({ branch: defaultBranch, commit: base })
  })

  it.each(['nowhere', '--output=x', 'a..b', '-x', 'HEAD', 'refs/heads/main', ''])(
    'refuses the branch %j with a sentence',
    async (name) => {
      await expect(host.resolveBranch(name, signal)).rejects.toThrow(AppError)
    },
  )

  it('moves a branch only from what is expected', async () => {
    const first = await push('topic')
    const second = await harness.writeCommit({ parent: first, path: 'page.md', text: 'Second' })
    const third = await harness.writeCommit({ parent: first, path: 'page.md', text: 'Third' })

    const moved = await host.pushBranch({ branch: 'topic', commit: second, expected: first }, signal)
    const late = await host.pushBranch({ branch: 'topic', commit: third, expected: first }, signal)
    const again = await host.pushBranch({ branch: 'topic', commit: second, expected: first }, signal)

    expect([moved, late, again]).toEqual([
      { outcome: 'pushed' },
      { outcome: 'moved', commit: second },
      { outcome: 'pushed' },
    ])
    expect((await host.resolveBranch('topic', signal)).commit).toBe(second)
  })

  it('never moves the default branch by a push', async () => {
    const { defaultBranch } = await host.readSource(signal)
    const commit = await harness.writeCommit({ parent: base, path: 'page.md', text: 'Direct' })

    await expect(host.pushBranch({ branch: defaultBranch, commit, expected: base }, signal)).rejects.toThrow(AppError)

    expect((await host.resolveBranch(null, signal)).commit).toBe(base)
  })

  it('refuses a commit that it does not have', async () => {
    await expect(host.openBase('1'.repeat(40), signal)).rejects.toThrow(AppError)
    await expect(host.openBase('HEAD', signal)).rejects.toThrow(AppError)
  })

  it('opens one pull request per branch and brings it up to date', async () => {
    const commit = await push('topic')
    expect(await host.findPullRequest({ branch: 'topic' }, signal)).toBeNull()

    const opened = await host.openPullRequest(request('topic', { isDraft: true }), signal)
    const again = await host.openPullRequest(request('topic', { title: 'A better one' }), signal)

    expect(opened).toMatchObject({ state: 'open', number: 1, head: { branch: 'topic', commit }, mergeCommit: null })
    expect(opened.isDraft).toBe(host.capabilities.drafts)
    expect(again).toMatchObject({ id: opened.id, url: opened.url, title: 'A better one', isDraft: false })
    expect(await host.findPullRequest({ branch: 'topic' }, signal)).toEqual(again)
    expect(await host.readPullRequest(opened.id, signal)).toEqual(again)
  })

  it('opens one pull request when several try at once', async () => {
    await push('topic')

    const opened = await Promise.all(Array.from({ length: 4 }, () => host.openPullRequest(request('topic'), signal)))

    expect(new Set(opened.map(({ id }) => id)).size).toBe(1)
  })

  it('shows in a pull request what its branch names now', async () => {
    const first = await push('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)
    const second = await harness.writeCommit({ parent: first, path: 'page.md', text: 'Second' })
    await host.pushBranch({ branch: 'topic', commit: second, expected: first }, signal)

    expect((await host.readPullRequest(id, signal)).head).toEqual({ branch: 'topic', commit: second })
  })

  it('knows a merged pull request and opens another one for the branch', async () => {
    const commit = await push('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)

    await harness.merge(id)

    const merged = await host.readPullRequest(id, signal)
    expect(merged).toMatchObject({ state: 'merged', head: { commit } })
    expect((await host.resolveBranch(null, signal)).commit).toBe(merged.mergeCommit)
    expect((await host.findPullRequest({ branch: 'topic' }, signal))?.state).toBe('merged')
    expect((await host.openPullRequest(request('topic'), signal)).id).not.toBe(id)
  })

  it('closes a pull request, and leaves one that has ended as it is', async () => {
    await push('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)

    const closed = await host.closePullRequest(id, signal)

    expect(closed.state).toBe('closed')
    expect(await host.closePullRequest(id, signal)).toEqual(closed)
    expect(await host.updatePullRequest({ id, title: 'Later' }, signal)).toMatchObject({
      state: 'closed',
      title: 'Later',
    })
  })

  it('cuts texts that are too long instead of refusing the work', async () => {
    await push('topic')

    const opened = await host.openPullRequest(
      request('topic', { title: `One\ntwo ${'x'.repeat(500)}`, body: 'y'.repeat(100_000) }),
      signal,
    )

    expect(opened.title).toMatch(/^One two x+$/)
    expect(opened.title.length).toBeLessThanOrEqual(200)
    expect(opened.body.length).toBeLessThanOrEqual(60_000)
  })

  it('takes comments, and knows no pull request of another name', async () => {
    await push('topic')
    const { id } = await host.openPullRequest(request('topic'), signal)

    await host.comment({ id, body: 'Base has moved.' }, signal)

    await expect(host.comment({ id: 'pr_none', body: 'x' }, signal)).rejects.toThrow(AppError)
    await expect(host.readPullRequest('pr_none', signal)).rejects.toThrow(AppError)
  })
}
