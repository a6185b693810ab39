import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { defaultPasswordCost, PasswordHasher } from './password-hasher.ts'

const cheap = { cost: 16, blockSize: 1, parallelization: 1 }
const run = <Result>(work: () => Promise<Result>) => work()
const hasher = new PasswordHasher({ randomBytes, run, cost: cheap })

it('accepts the password of a hash, and no other', async () => {
  const stored = await hasher.hash('kafe lumen otter')

  expect(await hasher.verify('kafe lumen otter', stored)).toBe(true)
  expect(await hasher.verify('kafe lumen otter ', stored)).toBe(false)
  expect(await hasher.verify('', stored)).toBe(false)
})

it('salts, so that one password gets a different hash each time', async () => {
  expect(await hasher.hash('kafe lumen otter')).not.toBe(await hasher.hash('kafe lumen otter'))
})

it('treats different encodings of a letter as equal', async () => {
  const stored = await hasher.hash('cafe\u0301 lumen otter')

  expect(await hasher.verify('caf\u00e9 lumen otter', stored)).toBe(true)
})

it('hashes even if there is nothing to compare with, and returns false', async () => {
  let hashed = 0
  const counting = new PasswordHasher({ randomBytes, cost: cheap, run: (work) => (hashed++, work()) })

  expect(await counting.verify('kafe lumen otter', null)).toBe(false)

  expect(hashed).toBe(1)
})

it('uses the cost stored with a hash, and reports if new hashes cost otherwise', async () => {
  const stored = await hasher.hash('kafe lumen otter')
  const dearer = new PasswordHasher({ randomBytes, run, cost: { ...cheap, cost: 32 } })

  expect(await dearer.verify('kafe lumen otter', stored)).toBe(true)
  expect(dearer.isOutdated(stored)).toBe(true)
  expect(hasher.isOutdated(stored)).toBe(false)
})

it('uses the cost that OWASP recommends by default, and stores it', async () => {
  const stored = await new PasswordHasher({ randomBytes, run, cost: defaultPasswordCost }).hash('kafe lumen otter')

  expect(defaultPasswordCost).toEqual({ cost: 32_768, blockSize: 8, parallelization: 3 })
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
})

it('rejects a stored hash of an unknown format', async () => {
  await expect(hasher.verify('x', 'bcrypt$10$abc')).rejects.toThrow('unknown format')
})
