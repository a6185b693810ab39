import { expect, it } from 'vitest'
import { requireStrongPassword } from './password-strength.ts'

it.each([
  ['a common password', 'password1234'],
  ['a common one in other letters', 'P@ssw0rd2024!'],
  ['a row of keys', 'qwertyuiop123'],
  ['a repetition', 'aaaaaaaaaaaaaaaa'],
  ['a long repetition', 'abc'.repeat(60)],
  ['the name of the product', 'docentdocent1'],
  ['the e-mail address', 'ann.lee@example.com'],
  ['the address with something added', 'ann.lee@example.com1'],
])('refuses %s', async (_, password) => {
  await expect(requireStrongPassword(password, ['Ann Lee', 'ann.lee@example.com'])).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'password' }],
  })
})

it.each([
  ['words that have nothing to do with each other', 'kafe-lumen-otter'],
  ['random characters', 'x7Tq-92kd-Lw0p'],
  ['the longest there is', '0123 kafe lumen otter '.repeat(9)],
])('takes %s', async (_, password) => {
  await expect(requireStrongPassword(password, ['Ann Lee', 'ann.lee@example.com'])).resolves.toBeUndefined()
})
