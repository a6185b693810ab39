import { expect, it } from 'vitest'
import { readCodeNames } from './read-code-names.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

it.each([
  [
    "import { makeKiosk } from '@kiosk/core'\nconst result = makeKiosk({ paperWidth: 58 })",
    ['@kiosk/core', 'makeKiosk'],
  ],
  ['from kiosk.paper import PaperRoll\n\nroll = PaperRoll(width=58)', ['kiosk.paper', 'PaperRoll']],
  ["kiosk({ sidebar: [{ label: 'Guides' }] })", ['kiosk', 'sidebar', 'label']],
])('takes packages, imported and called names and keys from %s', (code, names) => {
  expect(readCodeNames(code)).toEqual(expect.arrayContaining(names))
})

it('leaves out keywords, the names of any program and modules of the reader', () => {
  const names = readCodeNames("import { config } from './config'\nconst result = await fetchData(config, options)")

  expect(names).toEqual(['fetchData'])
})

it('takes time that grows with the length of the code', () => {
  const startedAt = threadCpuMs()

  for (const piece of ['a', '(', 'import "', '{ a: ']) readCodeNames(piece.repeat(100_000))

  expect(threadCpuMs() - startedAt).toBeLessThan(500)
})
