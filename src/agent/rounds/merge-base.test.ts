import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { mergeBase } from './merge-base.ts'

const { signal } = new AbortController()
const pages = (...names: string[]) => `${JSON.stringify({ pages: names }, null, 2)}\n`

/** A branch and its base, which have both changed a navigation and a page. */
async function setup() {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  const { git, write, commit } = repository
  const add = async (text: string, ...names: string[]) => {
    await write('docs.json', pages(...names))
    await write('page.md', `${text}\n`)
    return commit(text)
  }
  await add('Old', 'one')
  git(['switch', '--quiet', '--create', 'job'])
  const branch = await add('Mine', 'one', 'mine')
  git(['switch', '--quiet', 'main'])
  const base = await add('Theirs', 'one', 'theirs')
  return { ...repository, branch, base, gitDirectory: join(repository.folder, '.git') }
}

it('writes the same merge again where a killed process has left nothing, with the base in place of open conflicts', async () => {
  const { git, folder, outside, branch, base, gitDirectory } = await setup()
  const copy = join(outside, 'copy.git')
  execFileSync('git', ['clone', '--quiet', '--bare', folder, copy])

  const merged = await mergeBase({ gitDirectory, branch, base, at: 1_700_000_000_000 }, signal)
  const again = await mergeBase({ gitDirectory: copy, branch, base, at: 1_700_000_000_000 }, signal)

  expect(again?.commit).toBe(merged?.commit)
  expect(merged?.conflicts.map(({ path }) => path)).toEqual(['page.md'])
  expect(git(['show', `${merged?.commit}:page.md`])).toBe('Theirs')
  expect(`${git(['show', `${merged?.commit}:docs.json`])}\n`).toBe(pages('one', 'mine', 'theirs'))
  expect(git(['show', '-s', '--format=%P', merged?.commit ?? ''])).toBe(`${branch} ${base}`)
  expect(await mergeBase({ gitDirectory, branch: merged?.commit ?? '', base, at: 2 }, signal)).toBeNull()
})
