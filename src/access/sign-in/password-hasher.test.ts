import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { defaultPasswordCost, PasswordHasher } from './password-hasher.ts'

const cheap = { cost: 16, blockSize: 1, parallelization: 1 }
const run = <Result>(_client: string, work: () => Promise<Result>) => work()
const here = '203.0.113.7'
const hasher = new PasswordHasher({ randomBytes, run, cost: cheap })

it('accepts the password of a hash, and no other', async () => {
  const stored = await hasher.hash('kafe lumen otter')

  expect(await hasher.verify('kafe lumen otter', stored, here)).toBe(true)
  expect(await hasher.verify('kafe lumen otter ', stored, here)).toBe(false)
  expect(await hasher.verify('', stored, here)).toBe(false)
})

it('salts, so that one password gets a different hash each time', async () => {
  expect(await hasher.hash('kafe lumen otter')).not.toBe(await hasher.hash('kafe lumen otter'))
})

it('treats different encodings of a letter as equal', async () => {
  const stored = await hasher.hash('cafe\u0301 lumen otter')

  expect(await hasher.verify('caf\u00e9 lumen otter', stored, here)).toBe(true)
})

it('hashes even if there is nothing to compare with, and returns false', async () => {
  let hashed = 0
  const counting = new PasswordHasher({ randomBytes, cost: cheap, run: (_client, work) => (hashed++, work()) })

  expect(await counting.verify('kafe lumen otter', null, here)).toBe(false)

  expect(hashed).toBe(1)
})

it('uses the cost stored with a hash, and reports if new hashes cost otherwise', async () => {
  const stored = await hasher.hash('kafe lumen otter')
  const dearer = new PasswordHasher({ randomBytes, run, cost: { ...cheap, cost: 32 } })

  expect(await dearer.verify('kafe lumen otter', stored, here)).toBe(true)
  expect(dearer.isOutdated(stored)).toBe(true)
  expect(hasher.isOutdated(stored)).toBe(false)
})

it('uses the cost that OWASP recommends by default, and stores it', async () => {
  const stored = await new PasswordHasher({ randomBytes, run, cost: defaultPasswordCost }).hash('kafe lumen otter')

  expect(defaultPasswordCost).toEqual({ cost: 32_768, blockSize: 8, parallelization: 3 })
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
})

it('rejects a stored hash of an unknown format', async () => {
  await expect(hasher.verify('x', 'bcrypt$10$abc', here)).rejects.toThrow('unknown format')
})

it('takes turns between clients: all networks of an IPv6 /48 are one', async () => {
  const clients: string[] = []
  const noting = new PasswordHasher({ randomBytes, cost: cheap, run: (client, work) => (clients.push(client), work()) })

  for (const address of [here, '2001:db8:1:2::1', '2001:db8:1:ff00::1']) await noting.verify('x', null, address)
  await noting.hash('kafe lumen otter')

  expect(clients).toEqual([here, '2001:db8:1::/48', '2001:db8:1::/48', 'members'])
})
