import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createGitRepository } from '../../../test/support/git-repository.ts'
import { removePushLeftovers } from './push-leftovers.ts'

const now = Date.UTC(2026, 0, 1)

async function setup() {
  const { folder, write, commit, remove } = await createGitRepository()
  onTestFinished(remove)
  await write('a.md', 'A\n')
  commit()
  const gitDirectory = join(folder, '.git')
  const age = (path: string, ageMs: number) => utimes(path, (now - ageMs) / 1000, (now - ageMs) / 1000)
  return {
    gitDirectory,
    async leave(path: string, ageMs: number) {
      await writeFile(join(gitDirectory, path), '')
      await age(join(gitDirectory, path), ageMs)
    },
    async leaveFolder(path: string, ageMs: number) {
      await mkdir(join(gitDirectory, path, 'pack'), { recursive: true })
      await writeFile(join(gitDirectory, path, 'pack', 'tmp_pack_x'), 'objects')
      await age(join(gitDirectory, path), ageMs)
    },
  }
}

it('removes the objects of killed pushes, and none of a running push', async () => {
  const { gitDirectory, leaveFolder } = await setup()
  await leaveFolder('objects/tmp_objdir-incoming-old', 61 * 60_000)
  await leaveFolder('objects/tmp_objdir-incoming-live', 59 * 60_000)

  await removePushLeftovers(gitDirectory, now)

  const left = (await readdir(join(gitDirectory, 'objects'))).filter((name) => name.includes('incoming'))
  expect(left).toEqual(['tmp_objdir-incoming-live'])
})

it('removes the locks that nobody holds any more', async () => {
  const { gitDirectory, leave } = await setup()
  await leave('refs/heads/old.lock', 61_000)
  await leave('refs/heads/live.lock', 1_000)
  await leave('packed-refs.lock', 61_000)

  await removePushLeftovers(gitDirectory, now)

  expect((await readdir(join(gitDirectory, 'refs/heads'))).toSorted()).toEqual(['live.lock', 'main'])
  expect(await readdir(gitDirectory)).not.toContain('packed-refs.lock')
})

it('gives what is from the future its whole time from now on, because the clock may have been set back during a push', async () => {
  const { gitDirectory, leave, leaveFolder } = await setup()
  await leaveFolder('objects/tmp_objdir-incoming-ahead', -2 * 3_600_000)
  await leave('refs/heads/ahead.lock', -61_000)
  const list = async () =>
    [...(await readdir(join(gitDirectory, 'objects'))), ...(await readdir(join(gitDirectory, 'refs/heads')))].filter(
      (name) => name.includes('ahead'),
    )

  await removePushLeftovers(gitDirectory, now)
  const atOnce = await list()
  await removePushLeftovers(gitDirectory, now + 61_000)
  const afterMinute = await list()
  await removePushLeftovers(gitDirectory, now + 61 * 60_000)

  expect([atOnce, afterMinute, await list()]).toEqual([
    ['tmp_objdir-incoming-ahead', 'ahead.lock'],
    ['tmp_objdir-incoming-ahead'],
    [],
  ])
})
