import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { listChangedEntries } from './changed-entries.ts'

const { signal } = new AbortController()
let repository: GitRepository
beforeEach(async () => (repository = await createGitRepository()))
afterEach(() => repository.remove())

it('lists what is written, moved and deleted, with modes, so that writing it over the one gives the other', async () => {
  await repository.write('kept.md', 'Kept\n')
  await repository.write('gone.md', 'Gone\n')
  await repository.write('run.sh', '#!/bin/sh\n')
  await repository.write('guides/old name.md', 'A page that moves\n')
  const from = repository.commit()
  repository.git(['rm', '--quiet', 'gone.md'])
  repository.git(['mv', 'guides/old name.md', 'guides/ä\tnew.md'])
  await chmod(join(repository.folder, 'run.sh'), 0o755)
  await repository.link('link', 'kept.md')
  const to = repository.commit()
  const gitDirectory = join(repository.folder, '.git')

  const changed = await listChangedEntries({ gitDirectory, from, to }, signal)
  const whole = await listChangedEntries({ gitDirectory, from: null, to }, signal)

  expect(changed.map(({ path, mode }) => [path, mode])).toEqual([
    ['gone.md', null],
    ['guides/old name.md', null],
    ['guides/ä\tnew.md', '100644'],
    ['link', '120000'],
    ['run.sh', '100755'],
  ])
  expect(whole.map(({ path, mode }) => [path, mode])).toEqual([
    ['guides/ä\tnew.md', '100644'],
    ['kept.md', '100644'],
    ['link', '120000'],
    ['run.sh', '100755'],
  ])
  expect(whole.find(({ path }) => path === 'kept.md')?.id).toBe(repository.git(['rev-parse', `${to}:kept.md`]))
})
