import { expect, it } from 'vitest'
import { english } from '../words/english.ts'
import { makeSay } from '../words/make-say.ts'
import { MarkdownWriter } from './markdown-writer.ts'

function write(...texts: string[]) {
  const root = document.createElement('div')
  const writer = new MarkdownWriter(root, {
    say: makeSay('en', english),
    decorate: (link, address) => link.setAttribute('href', address),
  })
  texts.forEach((text, index) => writer.write(text, index === texts.length - 1))
  return root
}

it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x', ' javascript:x', 'blob:x'])(
  'makes no link to %s',
  (address) => {
    const root = write(`[a](${address}) ![b](${address})`)

    expect(root.querySelector('[href], [src]')).toBeNull()
    expect(root.textContent).toContain('a')
  },
)

it.each(['https://example.com/a', 'http://example.com', 'mailto:a@example.com', '/guides', '#top'])(
  'makes a link to %s',
  (address) => {
    expect(write(`[a](${address})`).querySelector('a')?.getAttribute('href')).toBe(address)
  },
)

it('shows markup as text, and makes only elements of its own', () => {
  const root = write('<img src=x onerror=alert(1)> <script>x</script>\n\n<b onclick=x>bold</b>')

  expect(root.querySelector('img, script, b')).toBeNull()
  expect(root.textContent).toContain('<img src=x onerror=alert(1)>')
})

it('loads no image, whose address other hosts would see', () => {
  const root = write('![A kiosk](https://example.com/a.png)')

  expect(root.querySelector('img')).toBeNull()
  expect(root.querySelector('a')?.textContent).toBe('A kiosk')
})

it('keeps prices, which look like formulas', () => {
  expect(write('It costs $5 or $6.').textContent).toBe('It costs $5 or $6.')
})

it('keeps what is shown while the text grows at its end', () => {
  const root = document.createElement('div')
  const writer = new MarkdownWriter(root, { say: makeSay('en', english), decorate: () => {} })
  writer.write('# One\n\nTwo\n\nThr', false)
  const [first] = root.children

  writer.write('# One\n\nTwo\n\nThree', true)
  writer.write('# One\n\nTwo\n\nThree', true)

  expect(root.children[0]).toBe(first)
  expect(root.textContent).toBe('OneTwoThree')
})

it('shows tables and code blocks', () => {
  const root = write('| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```sh\nnpm start\n```\n')

  expect([...root.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim())).toEqual(['a', 'b', '1', '2'])
  expect(root.querySelector('pre')?.textContent).toBe('npm start')
  expect(root.querySelector('.cap span')?.textContent).toBe('sh')
})
