import { utimes, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { updateRefs } from './update-refs.ts'

const { signal } = new AbortController()
let repository: GitRepository
let first: string
let second: string

beforeEach(async () => {
  repository = await createGitRepository()
  await repository.write('a.md', 'One\n')
  first = repository.commit()
  await repository.write('a.md', 'Two\n')
  second = repository.commit()
})

afterEach(() => repository.remove())

const update = (changes: Parameters<typeof updateRefs>[0]['changes']) =>
  updateRefs({ gitDirectory: `${repository.folder}/.git`, changes }, signal)

const read = (ref: string) => repository.git(['for-each-ref', '--format=%(objectname)', ref])

it('moves all refs together', async () => {
  const moved = await update([
    { ref: 'refs/heads/main', to: first, expected: second },
    { ref: 'refs/pull/1/head', to: second, expected: null },
    { ref: 'refs/pull/1/base', to: first, expected: undefined },
  ])

  expect(moved).toBe(true)
  expect([read('refs/heads/main'), read('refs/pull/1/head'), read('refs/pull/1/base')]).toEqual([first, second, first])
})

it('moves none when one names something else', async () => {
  const stale = await update([
    { ref: 'refs/pull/1/head', to: second, expected: null },
    { ref: 'refs/heads/main', to: first, expected: first },
  ])
  const missing = await update([{ ref: 'refs/heads/other', to: second, expected: first }])
  const taken = await update([{ ref: 'refs/heads/main', to: first, expected: null }])

  expect([stale, missing, taken]).toEqual([false, false, false])
  expect([read('refs/heads/main'), read('refs/pull/1/head'), read('refs/heads/other')]).toEqual([second, '', ''])
})

it('makes sure of a ref that stays where it is', async () => {
  repository.git(['branch', 'topic', first])

  const moved = await update([
    { ref: 'refs/heads/topic', to: second, expected: second },
    { ref: 'refs/pull/1/head', to: second, expected: undefined },
  ])

  expect(moved).toBe(false)
  expect(read('refs/pull/1/head')).toBe('')
})

it('moves none while another process moves one of them, and goes on after one that was killed', async () => {
  const lock = `${repository.folder}/.git/refs/heads/main.lock`
  await writeFile(lock, '')
  const move = () => update([{ ref: 'refs/heads/main', to: first, expected: second }])

  expect(await move()).toBe(false)
  const longAgo = new Date(Date.now() - 10 * 60_000)
  await utimes(lock, longAgo, longAgo)
  const attempts = [await move(), await move()]

  expect(attempts).toEqual([false, true])
  expect(read('refs/heads/main')).toBe(first)
})

it('refuses a name that git would read as a command', async () => {
  await expect(update([{ ref: 'refs/heads/a\ndelete refs/heads/main', to: first, expected: null }])).rejects.toThrow(
    /is malformed/,
  )
  expect(read('refs/heads/main')).toBe(second)
})
