import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { defaultPasswordCost, PasswordHasher } from './password-hasher.ts'

const cheap = { cost: 16, blockSize: 1, parallelization: 1 }
const run = <Result>(work: () => Promise<Result>) => work()
const hasher = new PasswordHasher({ randomBytes, run, cost: cheap })

it('knows the password of a hash, and no other', async () => {
  const stored = await hasher.hash('kafe lumen otter')

  expect(await hasher.verify('kafe lumen otter', stored)).toBe(true)
  expect(await hasher.verify('kafe lumen otter ', stored)).toBe(false)
  expect(await hasher.verify('', stored)).toBe(false)
})

it('salts: one password has another hash each time', async () => {
  expect(await hasher.hash('kafe lumen otter')).not.toBe(await hasher.hash('kafe lumen otter'))
})

it('takes letters that are written in two ways for the same', async () => {
  const stored = await hasher.hash('cafe\u0301 lumen otter')

  expect(await hasher.verify('caf\u00e9 lumen otter', stored)).toBe(true)
})

it('hashes also where there is nothing to compare with, and says no', async () => {
  let hashed = 0
  const counting = new PasswordHasher({ randomBytes, cost: cheap, run: (work) => (hashed++, work()) })

  expect(await counting.verify('kafe lumen otter', null)).toBe(false)

  expect(hashed).toBe(1)
})

it('keeps to the cost that is stored with a hash, and tells when it is not that of new ones', async () => {
  const stored = await hasher.hash('kafe lumen otter')
  const dearer = new PasswordHasher({ randomBytes, run, cost: { ...cheap, cost: 32 } })

  expect(await dearer.verify('kafe lumen otter', stored)).toBe(true)
  expect(dearer.isOutdated(stored)).toBe(true)
  expect(hasher.isOutdated(stored)).toBe(false)
})

it('costs by default what OWASP asks for, and stores it', async () => {
  const stored = await new PasswordHasher({ randomBytes, run, cost: defaultPasswordCost }).hash('kafe lumen otter')

  expect(defaultPasswordCost).toEqual({ cost: 32_768, blockSize: 8, parallelization: 3 })
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
})

it('refuses a stored hash that it does not know', async () => {
  await expect(hasher.verify('x', 'bcrypt$10$abc')).rejects.toThrow('unknown format')
})
