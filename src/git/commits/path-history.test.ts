import { afterEach, beforeEach, expect, it } from 'vitest'
import { join } from 'node:path'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { readPathHistory } from './path-history.ts'

let repository: GitRepository
let day = 0
beforeEach(async () => void ([repository, day] = [await createGitRepository(), 0]))
afterEach(() => repository.remove())

const text = (name: string) => `# ${name}\n\n${Array.from({ length: 30 }, (_, n) => `${name} ${n}`).join('\n')}\n`
const dateOf = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()

function commit() {
  const date = dateOf(++day)
  repository.git(['add', '--all'])
  repository.git(['commit', '--quiet', '-m', 'x'], { env: { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date } })
}

async function read(folder = '') {
  const { git, folder: place } = repository
  const paths = git(['ls-files', ...(folder === '' ? [] : [folder])])
    .split('\n')
    .filter(Boolean)
  const input = { gitDirectory: join(place, '.git'), commit: git(['rev-parse', 'HEAD']), folder, paths }
  const { changedAt, movedTo } = await readPathHistory(input, AbortSignal.timeout(30_000))
  const times = [...changedAt].map(([path, at]) => [path, new Date(at).toISOString()])
  return { changedAt: Object.fromEntries(times) as unknown, movedTo: Object.fromEntries(movedTo) }
}

it('knows when each file changed last, also by a merge, and follows files through several moves', async () => {
  await repository.write('docs/a.md', text('a'))
  await repository.write('docs/b.md', text('b'))
  commit()
  repository.git(['mv', 'docs/a.md', 'docs/second.md'])
  commit()
  await repository.write('docs/second.md', `${text('a')}More.\n`)
  repository.git(['mv', 'docs/second.md', 'docs/third name.md'])
  commit()
  repository.git(['checkout', '--quiet', '-b', 'side'])
  await repository.write('docs/b.md', text('B'))
  commit()
  repository.git(['checkout', '--quiet', '-'])
  const env = { GIT_COMMITTER_DATE: dateOf(9), GIT_AUTHOR_DATE: dateOf(9) }
  repository.git(['merge', '--quiet', '--no-ff', '--no-edit', 'side'], { env })

  expect(await read('docs')).toEqual({
    changedAt: { 'docs/third name.md': dateOf(3), 'docs/b.md': dateOf(9) },
    movedTo: { 'docs/a.md': 'docs/third name.md', 'docs/second.md': 'docs/third name.md' },
  })
})

it('leads nowhere from a path that has a file now, or that another file had last', async () => {
  await repository.write('taken.md', text('one'))
  await repository.write('reused.md', text('two'))
  await repository.write('lost.md', text('three'))
  commit()
  repository.git(['mv', 'taken.md', 'one.md'])
  repository.git(['mv', 'reused.md', 'two.md'])
  repository.git(['mv', 'lost.md', 'three.md'])
  commit()
  await repository.write('taken.md', text('another'))
  await repository.write('reused.md', text('a third'))
  repository.git(['rm', '--quiet', 'three.md'])
  commit()
  repository.git(['rm', '--quiet', 'reused.md'])
  await repository.write('three.md', text('a new one'))
  commit()

  expect((await read()).movedTo).toEqual({})
})

it('knows nothing of a repository without its past', async () => {
  await repository.write('a.md', text('a'))
  commit()
  await repository.write('a.md', text('b'))
  commit()
  const shallow = join(repository.outside, 'shallow')
  repository.git(['clone', '--quiet', '--depth=1', `file://${repository.folder}`, shallow])
  const input = { gitDirectory: join(shallow, '.git'), commit: repository.git(['rev-parse', 'HEAD']), folder: '' }

  expect(await readPathHistory({ ...input, paths: ['a.md'] }, AbortSignal.timeout(30_000))).toEqual({
    changedAt: new Map(),
    movedTo: new Map(),
  })
})

it('takes no time from a commit whose clock was absurd', async () => {
  await repository.write('a.md', text('a'))
  repository.git(['add', '--all'])
  const date = '@99999999999999 +0000'
  repository.git(['commit', '--quiet', '-m', 'x'], { env: { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date } })

  expect((await read()).changedAt).toEqual({})
})
