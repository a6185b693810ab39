import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import type { CheckRequest } from './check-job-change.ts'
import { CheckThread } from './check-thread.ts'

let repository: GitRepository
let commit: string
let checks: CheckThread

beforeAll(async () => {
  repository = await createGitRepository()
  await repository.write('index.md', '# Home\n\n[old](./gone.md)\n')
  commit = repository.commit()
})
afterAll(() => repository.remove())
afterEach(() => checks.close())

const textFile = (text: string) => ({ isExecutable: false, content: { kind: 'text' as const, text } })
const request = (change: Partial<CheckRequest> = {}): CheckRequest => ({
  gitDirectory: repository.folder,
  subdirectory: '',
  baseCommit: commit,
  headCommit: commit,
  overlay: {
    base: commit,
    files: [{ path: 'new.md', previousPath: null, file: textFile('# New\n\n[x](./nowhere.md)\n') }],
  },
  isWhole: false,
  ...change,
})
const never = new AbortController().signal

it('finds new problems, and all problems on request', async () => {
  checks = new CheckThread()

  const [added, whole] = await Promise.all([
    checks.check(request(), never),
    checks.check(request({ isWhole: true }), never),
  ])

  expect(added.map(({ path, rule }) => [path, rule])).toEqual([['new.md', 'link-broken']])
  expect(whole.map(({ path }) => path).sort()).toEqual(['index.md', 'new.md'])
}, 60_000)

it('continues after a check that failed or took too long', async () => {
  checks = new CheckThread()
  const unknown = 'f'.repeat(40)

  await expect(checks.check(request({ baseCommit: unknown }), never)).rejects.toThrow(/no branch, tag or commit/)
  expect(await checks.check(request(), never)).toHaveLength(1)

  const hasty = new CheckThread(1)
  await expect(hasty.check(request(), never)).rejects.toThrow('The checks took longer than')
  await hasty.close()
}, 60_000)

it('abandons a check whose signal aborts', async () => {
  checks = new CheckThread()
  const stop = new AbortController()
  const checking = checks.check(request(), stop.signal)
  stop.abort(new Error('enough'))

  await expect(checking).rejects.toThrow('enough')
}, 60_000)
