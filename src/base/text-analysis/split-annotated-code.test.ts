import { expect, it } from 'vitest'
import { splitAnnotatedCode } from './split-annotated-code.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

const fence = (code: string, language = 'yaml') => `\`\`\`${language}\n${code}\n\`\`\``

it.each([
  ['YAML', 'yaml', '# How long it waits.\nwait: 10s\n\n# Where it writes.\n# Must exist.\npath: data\n'],
  ['YAML without blank lines', 'yaml', '# How long it waits.\nwait: 10s\n# Where it writes.\npath: data'],
  ['optional settings', '', '# How long it waits.\n[ wait: <duration> | default = 10s ]\n\n# Where.\npath: <string>'],
  ['an environment file', 'env', '# How long it waits.\nWAIT=10s\n# Where it writes.\nDATA_PATH=data'],
  ['INI', 'ini', '; How long it waits.\nwait = 10\n\n; Where it writes.\npath = data'],
])('splits %s between settings, each with its comment, and loses no line', (_, language, code) => {
  const annotated = splitAnnotatedCode(fence(code, language))

  expect(annotated?.stanzas).toHaveLength(2)
  const written = annotated?.stanzas.join('\n').split('\n')
  expect(written).toEqual(code.split('\n').filter((line) => line !== ''))
})

it.each([
  ['a program', 'js', '// Adds.\nconst a = 1\n\n// Adds more.\nconst b = 2'],
  ['settings without comments', 'yaml', 'a: 1\n\nb: 2\n\nc: 3'],
  ['a single setting', 'yaml', '# One.\na: 1\nb: 2'],
  ['commands', '', '# Install it\nnpm install docent\n\n# Start it\nnpm start'],
])('does not split %s', (_, language, code) => {
  expect(splitAnnotatedCode(fence(code, language))).toBeNull()
})

it('takes time that grows with the length of the block', () => {
  for (const line of ['# a', 'a'.repeat(200), '[ [ [ ', '# a\na:', '"'.repeat(50)]) {
    const started = threadCpuMs()

    splitAnnotatedCode(fence(`${line}\n`.repeat(20_000)))

    expect(threadCpuMs() - started).toBeLessThan(2_000)
  }
})
