import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { type Limit, runCounted, consumeLimits } from './consume-limits.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-limits-'))
let store: Store
beforeAll(async () => {
  store = await openStore({ folder })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const clock = { now: () => 1_732_000_000_000 }
const limitOf = (subject: string): Limit => ({ name: 'search', subject, window: 'hour', max: 2, whose: 'This key' })
const fail = async () => Promise.reject(new Error('overloaded'))

it('refunds the count of a refused request, so that it can be repeated', async () => {
  const { signal } = new AbortController()
  const limits = [limitOf('refused')]

  for (let count = 0; count < 5; count++) {
    const taken = await consumeLimits({ store, clock }, limits)
    await expect(runCounted({ store, clock }, taken, signal, fail)).rejects.toThrow('overloaded')
  }
  const taken = await consumeLimits({ store, clock }, limits)

  expect(await runCounted({ store, clock }, taken, signal, async () => 'found')).toBe('found')
  expect(taken.RateLimit).toMatch(/^"search";r=1;/)
  expect((await consumeLimits({ store, clock }, limits)).RateLimit).toMatch(/^"search";r=0;/)
})

it('keeps the count if the client disconnected after work had begun', async () => {
  const limits = [limitOf('left')]

  for (let count = 0; count < 2; count++) {
    const taken = await consumeLimits({ store, clock }, limits)
    await expect(runCounted({ store, clock }, taken, AbortSignal.abort(), fail)).rejects.toThrow('overloaded')
  }

  await expect(consumeLimits({ store, clock }, limits)).rejects.toMatchObject({ code: 'limit_reached' })
})
