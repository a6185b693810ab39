import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withFolderLock } from './folder-lock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const { signal } = new AbortController()

it('lets one work at a time, and goes on after one that throws', async () => {
  const file = join(folder, 'a.lock')
  let working = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++working)
    await new Promise((resolve) => setImmediate(resolve))
    working--
    throw new Error('it failed')
  }

  const ends = await Promise.allSettled(Array.from({ length: 5 }, () => withFolderLock({ file, signal }, work)))

  expect(most).toBe(1)
  expect(ends.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'))
  expect(await readdir(folder)).toEqual([])
})

it.each([
  ['', -60_000],
  [' while the clock ran ahead', 60_000],
])('takes over the lock of a process that is gone%s, and of no other', async (_name, agoMs) => {
  const file = join(folder, 'a.lock')
  await writeFile(file, '1')
  const waiting = withFolderLock({ file, signal: AbortSignal.timeout(300), staleMs: 1_000 }, async () => 'taken')
  await expect(waiting).rejects.toThrow('aborted')

  const old = new Date(Date.now() + agoMs)
  await utimes(file, old, old)

  expect(await withFolderLock({ file, signal, staleMs: 1_000 }, async () => 'taken')).toBe('taken')
})

it('leaves its lock to a living holder when the clock is set back', async () => {
  const file = join(folder, 'a.lock')
  const lock = { file, signal, staleMs: 1_000 }
  const done = Promise.withResolvers<void>()
  const holding = withFolderLock(lock, () => done.promise)
  const ahead = new Date(Date.now() + 60_000)
  await expect.poll(() => readdir(folder)).toEqual(['a.lock'])
  await utimes(file, ahead, ahead)

  const waiting = withFolderLock({ ...lock, signal: AbortSignal.timeout(800) }, async () => 'taken')

  await expect(waiting).rejects.toThrow('aborted')
  done.resolve()
  await holding
})
