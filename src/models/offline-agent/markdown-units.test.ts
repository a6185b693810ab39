import { describe, expect, it } from 'vitest'
import { moveUnit, removeNth, removeUnit } from './markdown-units.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

describe('on hostile pages', () => {
  const spaces = ' '.repeat(100_000)

  it.each([
    ['items', () => removeUnit('- a\n'.repeat(10_000), 'item', 'b')],
    ['headings', () => removeUnit('## a\n'.repeat(5_000), 'section', 'b')],
    ['brackets', () => removeUnit(`- ${'['.repeat(100_000)}`, 'item', 'b')],
    ['spaces in a table', () => removeUnit(`a | b\n${spaces}x|`, 'row', 'b')],
    ['spaces in the rule of a table', () => removeUnit(`a | b\n-${spaces}x|`, 'row', 'b')],
    ['spaces between words', () => removeUnit(`a${spaces}x\n\n## B\n\nEnd.\n`, 'section', 'B')],
    [
      'abbreviations',
      () => removeNth('e.g. A '.repeat(10_000), { kind: 'sentence', position: -1, section: null, group: null }),
    ],
  ])('takes no long time for %s', (_, edit) => {
    const start = threadCpuMs()

    edit()

    expect(threadCpuMs() - start).toBeLessThan(1_500)
  })
})

it.each(['<!-- ', '{/* '])('leaves an item whose comment ends behind it', (comment) => {
  const list = `- a ${comment}b\n- c --> */}\n- d\n`

  expect(removeUnit(list, 'item', 'a')).toMatchObject({ isOk: false })
  expect(removeUnit(list, 'item', 'd')).toMatchObject({ isOk: true })
})

it('takes text below an item, also if it is not indented, with the item', () => {
  const list = '- a\nand more\n- b\n\nEnd.\n'

  expect(removeUnit(list, 'item', 'a')).toEqual({ isOk: true, text: '- b\n\nEnd.\n' })
  expect(moveUnit(list, 'item', 'a', { at: 'end' })).toEqual({ isOk: true, text: '- b\n- a\nand more\n\nEnd.\n' })
})

it('leaves an item whose code goes on behind it', () => {
  const list = '- a\n\n  ```sh\n- x\n  ```\n- d\n'

  expect(removeUnit(list, 'item', 'a')).toMatchObject({ isOk: false })
})
