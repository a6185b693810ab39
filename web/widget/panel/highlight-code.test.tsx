import { expect, it } from 'vitest'
import { highlightCode } from './highlight-code.ts'

function highlight(text: string, language: string) {
  const code = document.createElement('code')
  code.append(text)
  highlightCode(code, language)
  return code
}

const colored = (code: HTMLElement) =>
  [...code.querySelectorAll('span')].map((span) => [span.className, span.textContent])

it.each([
  [
    'sh',
    'docent start # now',
    [
      ['fn', 'docent'],
      ['note', '# now'],
    ],
  ],
  [
    'ts',
    "const a = 'b'",
    [
      ['key', 'const'],
      ['str', "'b'"],
    ],
  ],
  [
    'YAML title="config.yml"',
    'on: "push"',
    [
      ['fn', 'on'],
      ['str', '"push"'],
    ],
  ],
])('colors %s', (language, text, expected) => {
  const code = highlight(text, language)

  expect(colored(code)).toEqual(expect.arrayContaining(expected))
  expect(code.textContent).toBe(text)
})

it.each(['--for', '--if=done', '--wait-for', '--select'])('takes no part of the option %s for a keyword', (option) => {
  const code = highlight(`docent ask ${option} docs; for name in a; do ls; done`, 'sh')

  const keywords = colored(code).flatMap(([color, text]) => (color === 'key' ? [text?.trim()] : []))
  expect(keywords).toEqual([';', 'for', ';', 'do', ';', 'done'])
})

it.each(['html', 'js', 'xml', 'bash'])('keeps markup in %s text', async (language) => {
  const text = '<img src=x onerror="alert(1)"> `${a}` <script>alert(1)</script>'

  const code = highlight(text, language)

  // Rare languages are loaded with the first code in one of them.
  await expect.poll(() => colored(code).length).toBeGreaterThan(0)
  expect(code.textContent).toBe(text)
  expect(code.querySelector(':not(span)')).toBeNull()
})

it.each([
  ['of an unknown language', 'const a = 1', 'brainfuck'],
  ['named like a property of objects', 'const a = 1', 'constructor'],
  ['that is long', 'const a = 1\n'.repeat(500), 'ts'],
])('leaves code plain %s', (_, text, language) => {
  const code = highlight(text, language)

  expect(colored(code)).toEqual([])
  expect(code.textContent).toBe(text)
})
