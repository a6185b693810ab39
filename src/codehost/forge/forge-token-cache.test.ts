import { expect, it } from 'vitest'
import { ForgeTokenCache } from './forge-token-cache.ts'

const minutes = 60_000

function setup() {
  const clock = { at: 0, now: () => clock.at }
  const cache = new ForgeTokenCache({ clock })
  let made = 0
  const get = (key = 'one') =>
    cache.get(key, async () => ({ token: `${key} ${++made}`, expiresAt: clock.at + 60 * minutes }))
  return { clock, cache, get }
}

it('keeps a token until a quarter of an hour before its end', async () => {
  const { clock, get } = setup()
  const first = await get()

  clock.at = 45 * minutes - 1
  const kept = await get()
  clock.at = 45 * minutes
  const next = await get()

  expect([first, kept, next]).toEqual(['one 1', 'one 1', 'one 2'])
})

it('keeps tokens of different keys apart, and caches no failure', async () => {
  const { cache, get } = setup()
  await expect(cache.get('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no')

  expect([await get('one'), await get('two'), await get('one')]).toEqual(['one 1', 'two 2', 'one 1'])
})

it('forgets a token that was refused, and not the one that was made since', async () => {
  const { cache, get } = setup()
  const refused = await get()

  cache.forget('one', refused)
  const next = await get()
  cache.forget('one', refused)

  expect([next, await get()]).toEqual(['one 2', 'one 2'])
})
