import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openSecret, sealSecret, SealedSecretError } from './sealed-secret.ts'

const key = new Uint8Array(32).fill(7)

it('opens what it sealed, whatever the text and the context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, context) => {
      expect(openSecret(key, context, sealSecret(key, context, secret))).toBe(secret)
    }),
  )
})

it('seals the same secret differently every time, in the format that is documented', () => {
  const [first, second] = [sealSecret(key, 'site:1', 'secret'), sealSecret(key, 'site:1', 'secret')]

  expect(first).not.toBe(second)
  expect(first).toMatch(/^v1\.[\w-]{16}\.[\w-]{30}$/u)
})

it('opens a secret that an earlier version sealed', () => {
  const sealed = 'v1.AAECAwQFBgcICQoL.ceWMHmlgrTBawYD_kD0YKfch7m3-D8hH5oouwioSog'

  expect(openSecret(key, 'site:1', sealed)).toBe('identity-secret')
})

it('does not open under another key or context, nor once a byte has changed', () => {
  const sealed = sealSecret(key, 'site:1', 'secret')
  const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url')
  const changed = [...bytes.keys()].map((index) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(index) ^ 1, index)
    return `${sealed.split('.').slice(0, 2).join('.')}.${copy.toString('base64url')}`
  })

  const attempts = [
    () => openSecret(new Uint8Array(32), 'site:1', sealed),
    () => openSecret(key, 'site:2', sealed),
    ...changed.map((text) => () => openSecret(key, 'site:1', text)),
  ]

  for (const attempt of attempts) expect(attempt).toThrow(SealedSecretError)
})

it('refuses text of another format', () => {
  const texts = ['', 'secret', 'v2.a.b', 'v1.a', 'v1.a.b', 'v1.a.b.c', `${sealSecret(key, 'site:1', 'x')}.d`]

  for (const text of texts) expect(() => openSecret(key, 'site:1', text)).toThrow(SealedSecretError)
})

it('refuses a key of another length', () => {
  expect(() => sealSecret(new Uint8Array(16), 'site:1', 'secret')).toThrow(RangeError)
  expect(() => openSecret(new Uint8Array(33), 'site:1', 'v1.a.b')).toThrow(RangeError)
})
