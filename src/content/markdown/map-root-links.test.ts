import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listRootLinks, mapRootLinks } from './map-root-links.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

const site = 'https://docs.example.com'
const map = (markdown: string) => mapRootLinks(markdown, (target) => site + target)

it.each([
  ['[a](/guides/x)', `[a](${site}/guides/x)`],
  ['[a](/x?y=1#z) and [b](/)', `[a](${site}/x?y=1#z) and [b](${site}/)`],
  ['[a](/x "Title")', `[a](${site}/x "Title")`],
  ['[a](</x y>)', `[a](<${site}/x y>)`],
  ['[a](/x_(y))', `[a](${site}/x_(y))`],
  ['[`code`](/x)', `[\`code\`](${site}/x)`],
  ['[![badge](/i.png)](/x)', `[![badge](${site}/i.png)](${site}/x)`],
  ['| [a](/x) | [b](/y) |', `| [a](${site}/x) | [b](${site}/y) |`],
  ['[a]: /x\n> [b]: </y z> "Title"', `[a]: ${site}/x\n> [b]: <${site}/y z> "Title"`],
  ['One `stray and [a](/x)\n\nanother ` here', `One \`stray and [a](${site}/x)\n\nanother \` here`],
  ['- one ` stray\n- [a](/x) ` stray', `- one \` stray\n- [a](${site}/x) \` stray`],
  [String.raw`\[a\\](/x) \`[b](/y)\``, String.raw`\[a\\](${site}/x) \`[b](${site}/y)\``],
])('changes the root-relative targets of %j', (markdown, mapped) => {
  expect(map(markdown)).toBe(mapped)
})

it.each([
  '`[a](/x)`',
  '`` ` [a](/x) ``',
  'A span `over two\nlines [a](/x)` ends.',
  '```md\n[a](/x)\n[b]: /y\n```',
  '> ~~~\n> [a](/x)\n> ~~~',
  '[a](//other.example/x) [b](/\\other.example/x) [c](x) [d](#x) [e](https://other.example/x) [f](mailto:a@b.example)',
  String.raw`[a\](/x)`,
  '[^1]: /x',
  'Run f[0](/x and more',
])('leaves %j as it is', (markdown) => {
  expect(map(markdown)).toBe(markdown)
})

it('lists the targets that it would change', () => {
  expect(listRootLinks('[a](/x#y "Title") ![b](/z.png) `[c](/code)` [d](https://other.example/x)')).toEqual([
    '/x#y',
    '/z.png',
  ])
})

const linkArbitrary = fc
  .tuple(fc.constantFrom('[t](', '![t](', '[`c`]('), fc.stringMatching(/^\/[a-z0-9/?=#._-]{0,12}$/))
  .filter(([, target]) => !target.startsWith('//'))
  .map(([head, target]) => `${head}${target})`)
const codeArbitrary = fc.tuple(linkArbitrary, fc.constantFrom('span', 'fence')).map(([link, kind]) => {
  const code = link.replaceAll('`', '')
  return kind === 'span' ? `\`${code}\`` : `\n\n\`\`\`\n${code}\n\`\`\`\n\n`
})
const textArbitrary = fc.constantFrom('text ', '\n\n', '\n- ', '[a](https://other.example/x) ', '[b](//x/y) ', '(/x) ')

it('changes every root-relative link and nothing else, and a second time nothing', () => {
  const piece = fc.oneof(
    linkArbitrary.map((text) => ({ text, mapped: text.replace('](/', `](${site}/`) })),
    fc.oneof(codeArbitrary, textArbitrary).map((text) => ({ text, mapped: text })),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const join = (part: 'text' | 'mapped') => pieces.map((each) => `${each[part]} `).join('')

      const mapped = map(join('text'))

      expect(mapped).toBe(join('mapped'))
      expect(map(mapped)).toBe(mapped)
    }),
  )
})

it('leaves any text alone in which nothing is changed', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'[]()/`\\\n<>:"~ax '.split('')), maxLength: 200 }), (markdown) => {
      expect(mapRootLinks(markdown, (target) => target)).toBe(markdown)
    }),
  )
})

it.each(['](/', '[a](/(', '`'.repeat(3) + ' ', '\\', '[a]: /', ' ', '](<//', '](/x ', '`a``b```c'])(
  'takes linear time for repeated %j',
  (piece) => {
    const markdown = `[a](/x)${piece.repeat(400_000 / piece.length)}](/x)`

    const startedAt = threadCpuMs()
    map(markdown)

    expect(threadCpuMs() - startedAt).toBeLessThan(2_000)
  },
)
