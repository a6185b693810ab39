import { expect, it } from 'vitest'
import { removeCodeMarks } from './remove-code-marks.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

it('removes the marks of highlighted lines, and a line of its own with them', () => {
  const code = 'const a = 1 // [!code ++]\n# [!code focus:2]\nb: 2 # [!code highlight]\n<p> <!-- [!code word:p] -->\n'

  expect(removeCodeMarks(code)).toBe('const a = 1\nb: 2\n<p>\n')
})

it('leaves comments that only speak of code', () => {
  expect(removeCodeMarks('// see code [x]\n')).toBe('// see code [x]\n')
})

it('shows marks that are written to be shown', () => {
  expect(removeCodeMarks('const a = 1 // [!!code focus]\n')).toBe('const a = 1 // [!code focus]\n')
})

it('takes time that grows with the length of the code', () => {
  const started = threadCpuMs()

  removeCodeMarks(`code ${' '.repeat(200_000)}x`)

  expect(threadCpuMs() - started).toBeLessThan(1_000)
})
