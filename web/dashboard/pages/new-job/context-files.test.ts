import { expect, it } from 'vitest'
import { addContextFiles } from './context-files.ts'

it('takes text, and says of all else why it does not', async () => {
  const { context, refusals } = await addContextFiles(
    [],
    [
      new File(['<b>Hello</b>'], 'a.md'),
      new File([new Uint8Array([0xff, 0xfe, 0])], 'picture.png'),
      new File(['x'.repeat(20_001)], 'long.txt'),
      new File([''], 'empty.txt'),
    ],
  )

  expect(context).toEqual([{ type: 'code', value: '<b>Hello</b>', path: 'a.md' }])
  expect(refusals.map((sentence) => sentence.split(' ')[0])).toEqual(['picture.png', 'long.txt', 'empty.txt'])
})

it('puts a newer file in the place of one of the same name, and takes twenty', async () => {
  const names = Array.from({ length: 21 }, (_, index) => new File(['text'], `${index}.md`))

  const first = await addContextFiles([], names)
  const second = await addContextFiles(first.context, [new File(['newer'], '3.md')])

  expect(first.context).toHaveLength(20)
  expect(first.refusals).toHaveLength(1)
  expect(second.context[3]).toMatchObject({ path: '3.md', value: 'newer' })
  expect(second.context).toHaveLength(20)
})
