import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { narrowText } from './narrow-text.ts'

it.each([
  "'“quoted” … 👍'",
  '`a — ${"b…"} ’`',
  String.raw`'\\’ \’ \\\’'`,
  '[..."a–b👍"].map((one) => /^[–-—👍]$/u.test(one))',
  String.raw`'x–y'.split(/\–|…/)`,
  "({ größe: 1, 'naïve…': 2 })",
  '(() => { const ключ = 1; return ключ })()',
  "new RegExp(String.raw`[^”\\n]+`).exec('a”b')[0]",
])('leaves the meaning of %s, in Latin-1', (code) => {
  const narrow = narrowText(code)

  expect(narrow).toMatch(/^[\0-\xff]*$/)
  expect(runInNewContext(narrow)).toEqual(runInNewContext(code))
})
