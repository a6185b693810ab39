import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  readBranch,
  writeBranch,
  writeCommitObject,
  writeFirstCommit,
  writeTreeObject,
} from '../../../test/support/loose-objects.ts'
import { createIdSource } from '../../base/ids.ts'
import { AppError } from '../../contract/app-error.ts'
import { insertOrganization } from '../../store/accounts/organizations.ts'
import { listComments } from '../../store/hosting/pull-requests.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { addComment } from './add-comment.ts'
import { applySuggestions } from './apply-suggestions.ts'
import { closePullRequest, openBuiltinCodeHost } from './builtin-code-host.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import { createRepository } from './create-repository.ts'
import { mergePullRequest } from './merge-pull-request.ts'
import { reopenPullRequest } from './reopen-pull-request.ts'
import { revertPullRequest } from './revert-pull-request.ts'
import { startThread } from './start-thread.ts'
import { submitReview } from './submit-review.ts'
import { updateBranch } from './update-branch.ts'
import { viewPullRequest } from './view-pull-request.ts'

const { signal } = new AbortController()
const author = { name: 'A. Writer', email: 'writer@example.com', at: 1_732_000_000_000 }
const ada = { id: 'user:ada', name: 'Ada' }
let folder: string
let store: Store
let repositories = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-review-'))
  store = await openStore({ folder })
  await insertOrganization(store.durable, { id: 'default', name: 'Default', createdAt: 1 })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Line ${from + index}\n`).join('')

/** A pull request that changes line 5 of `page.md`, which has ten, from `main` into `change`. */
async function setup({ requiresApproval = false } = {}) {
  const clock = { now: () => Date.now() }
  const places = {
    store,
    clock,
    ids: createIdSource(clock),
    randomBytes,
    repositoryFolder: join(folder, 'repositories'),
  }
  const onBranchMoved = async () => {}
  const deps: BuiltinHostDeps = {
    ...places,
    baseUrl: 'http://localhost:4000',
    mergeFile: () => null,
    requiresApproval,
    onBranchMoved,
  }
  const fill = async ({ gitDirectory }: { gitDirectory: string }) => {
    writeFirstCommit(gitDirectory, { files: new Map([['page.md', Buffer.from(lines(1, 10))]]), author })
  }
  const input = { organizationId: 'default', name: `review-${++repositories}`, fill }
  const repository = await createRepository(deps, input, signal)
  const gitDirectory = join(deps.repositoryFolder, repository.folder)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: gitDirectory, encoding: 'utf8' })
  const commit = (branch: string, text: string, path = 'page.md') => {
    const parent = readBranch(gitDirectory, branch) ?? readBranch(gitDirectory, 'main') ?? ''
    const tree = writeTreeObject(gitDirectory, parent, new Map([[path, Buffer.from(text)]]))
    const written = writeCommitObject(gitDirectory, { tree, parents: [parent], author, message: `Change ${path}` })
    writeBranch(gitDirectory, branch, written)
    return written
  }
  const head = commit('change', `${lines(1, 4)}Five\n${lines(6, 10)}`)
  const host = openBuiltinCodeHost(deps, repository)
  const opening = { branch: 'change', base: null, title: 'Say five', body: '', isDraft: false, checks: [] }
  const { id } = await host.openPullRequest({ ...opening, jobId: null, authorId: ada.id }, signal)
  const start = (line: number, body: string, more: object = {}) => {
    const place = { pullRequestId: id, path: 'page.md', side: 'after' as const, lines: { first: line, last: line } }
    return startThread(deps, { ...place, head, body, by: { id: 'user:user_2', name: 'Grace' }, ...more }, signal)
  }
  const apply = (comments: string[], more: object = {}) =>
    applySuggestions(
      { ...deps, scratchFolder: folder, checkCommit: async () => {} },
      { id, comments, head, message: null, by: ada, ...more },
      signal,
    )
  const view = () => viewPullRequest(deps, { id }, signal)
  return { deps, host, git, commit, head, id, start, apply, view }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )

const suggest = (text: string) => `Rather:\n\n\`\`\`suggestion\n${text}\`\`\`\n`

describe('a thread', () => {
  it('moves with its lines, and is outdated once they change', async () => {
    const { commit, start, view } = await setup()
    await start(5, 'Why a word?')
    await start(10, 'The last one?')

    commit('change', `Zero\n${lines(1, 4)}Five\n${lines(6, 9)}Ten\n`)
    const { threads } = await view()

    expect(threads.map(({ firstLine, isOutdated, text }) => [firstLine, isOutdated, text])).toEqual([
      [6, false, 'Five'],
      [10, true, 'Line 10'],
    ])
  })

  it('is refused on lines that the change does not have, and on a branch that has moved', async () => {
    const { commit, start } = await setup()

    expect(await codeOf(start(11, 'Where?'))).toBe('invalid_request')
    expect(await codeOf(start(1, 'Where?', { path: '../page.md' }))).toBe('invalid_request')
    expect(await codeOf(start(1, 'Here?', { side: 'before', path: 'page.md' }))).toBeNull()
    commit('change', 'All new\n')
    expect(await codeOf(start(1, 'Here?'))).toBe('conflict')
  })
})

describe('suggestions', () => {
  it('are applied together in one commit by whoever applies them, and only once', async () => {
    const { deps, git, head, id, start, apply, view } = await setup()
    const one = await start(5, suggest('The fifth\nline\n'))
    const other = await start(8, suggest(''), { lines: { first: 7, last: 8 } })
    const answer = await addComment(deps, { id, threadId: other.thread.id, author: 'Ada', body: 'Well.' })

    expect(await codeOf(apply([answer.id]))).toBe('invalid_request')
    const commit = await apply([one.comment.id, other.comment.id])

    expect(git('show', '--no-patch', '--format=%an|%P|%B', commit)).toContain(`Ada|${head}|Apply 2 suggestions`)
    expect(git('show', `${commit}:page.md`)).toBe(`${lines(1, 4)}The fifth\nline\nLine 6\n${lines(9, 10)}`)
    expect((await view()).threads.map(({ resolvedBy }) => resolvedBy)).toEqual(['Ada', 'Ada'])
    expect((await listComments(store.durable, id, 9)).map(({ appliedIn }) => appliedIn)).toEqual([commit, commit, null])
    expect(await codeOf(apply([one.comment.id], { head: commit }))).toBe('conflict')
  })

  it('change nothing if they overlap, the branch has moved, or the commit is refused', async () => {
    const { deps, git, head, id, start, apply, commit } = await setup()
    const [one, other] = [await start(5, suggest('Fifth\n')), await start(5, suggest('5\n'))]
    const comments = [one.comment.id]
    const checkCommit = async () => {
      throw new AppError('invalid_request', 'This is a secret.')
    }
    const input = { id, comments, head, message: null, by: ada }

    expect(await codeOf(apply([...comments, other.comment.id]))).toBe('invalid_request')
    const refused = applySuggestions({ ...deps, scratchFolder: folder, checkCommit }, input, signal)
    expect(await codeOf(refused)).toBe('invalid_request')
    expect(git('rev-parse', 'change').trim()).toBe(head)
    const moved = commit('change', 'All new\n')
    expect(await codeOf(apply(comments))).toBe('conflict')
    expect(await codeOf(apply(comments, { head: moved }))).toBe('conflict')
    expect(git('rev-parse', 'change').trim()).toBe(moved)
  })
})

describe('a verdict', () => {
  it('of somebody other than the author lets a pull request merge where approval is required', async () => {
    const { deps, head, id, commit } = await setup({ requiresApproval: true })
    const review = (by: typeof ada, verdict: 'approve' | 'request-changes', at = head) =>
      codeOf(submitReview(deps, { id, verdict, body: 'So.', head: at, by }, signal))
    const merge = () => codeOf(mergePullRequest(deps, { id, expectedHead: null, by: 'Ada', override: null }, signal))
    const grace = { id: 'user:grace', name: 'Grace' }

    expect([await merge(), await review(ada, 'approve')]).toEqual(['conflict', 'role_forbidden'])
    expect(await review(grace, 'approve')).toBeNull()
    const newest = commit('change', 'Pushed after the approval\n')
    expect([await merge(), await review(grace, 'approve')]).toEqual(['conflict', 'conflict'])
    expect([await review(grace, 'request-changes', newest), await merge()]).toEqual([null, 'conflict'])
    expect([await review(grace, 'approve', newest), await merge()]).toEqual([null, null])
  })
})

describe('the branch', () => {
  it('takes in what the base has, or names the files that conflict', async () => {
    const { deps, git, commit, head, id, view } = await setup()
    const update = (from: string) => updateBranch(deps, { id, head: from, by: ada }, signal)
    expect(await codeOf(update(head))).toBe('conflict')
    const base = commit('main', 'New\n', 'new.md')
    expect((await view()).isBehind).toBe(true)

    await update(head)

    const updated = git('rev-parse', 'change').trim()
    expect(git('show', '--no-patch', '--format=%an|%P', updated).trim()).toBe(`Ada|${head} ${base}`)
    expect((await view()).isBehind).toBe(false)
    commit('main', `${lines(1, 4)}V\n${lines(6, 10)}`)
    await expect(update(updated)).rejects.toThrow(/page\.md/)
    expect(await codeOf(update(head))).toBe('conflict')
  })
})

describe('a merge', () => {
  it('may squash all commits into one of their authors, and be undone in a new pull request, once', async () => {
    const { deps, git, host, commit, id } = await setup()
    commit('change', 'All new\n')
    const squash = { method: 'squash' as const, message: 'Rewrite the page' }

    const { mergeCommit } = await mergePullRequest(
      deps,
      { id, expectedHead: null, by: 'Ada', override: null, ...squash },
      signal,
    )
    const [revert, again] = [
      await revertPullRequest(deps, { id, by: ada }, signal),
      await revertPullRequest(deps, { id, by: ada }, signal),
    ]

    expect(git('log', '--format=%an|%s', 'main').trim().split('\n')).toHaveLength(2)
    expect(git('show', '--no-patch', '--format=%an|%s', mergeCommit ?? '').trim()).toBe('A. Writer|Rewrite the page')
    expect(again).toBe(revert)
    const { head, title } = await host.readPullRequest(revert, signal)
    expect([head.branch, title]).toEqual(['revert-1', 'Revert “Say five”'])
    expect(git('show', `${head.commit}:page.md`)).toBe(lines(1, 10))
    await mergePullRequest(deps, { id: revert, expectedHead: null, by: 'Ada', override: null }, signal)
    expect(await codeOf(revertPullRequest(deps, { id, by: ada }, signal))).toBe('conflict')
  })
})

it('opens again what was closed, while its branch is there', async () => {
  const { deps, git, id } = await setup()
  await closePullRequest(deps, id, 'Ada', signal)

  expect((await reopenPullRequest(deps, id, signal)).state).toBe('open')
  await closePullRequest(deps, id, 'Ada', signal)
  git('branch', '-D', 'change')
  expect(await codeOf(reopenPullRequest(deps, id, signal))).toBe('conflict')
})
