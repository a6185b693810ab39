import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnchorStyle, anchorOf, hideHeadingIds, listAnchors, writeHeadingIds } from './heading-anchors.ts'

const anchorsOf = (headings: readonly string[], style: AnchorStyle) =>
  listAnchors(writeHeadingIds(headings.map((heading) => `## ${heading}`).join('\n\n'), style))

describe('the ids of a site', () => {
  it.each<[AnchorStyle, [heading: string, id: string][]]>([
    [
      'github',
      [
        ['A b', 'a-b'],
        ['A b', 'a-b-1'],
        ['Ünïcode & `code.run()`', 'ünïcode--coderun'],
        ['Named {#own-id}', 'own-id'],
      ],
    ],
    [
      'docs-json',
      [
        ["What's new", 'what’s-new'],
        ['Config.json options', 'config-json-options'],
        ['Rate limits (per minute)', 'rate-limits-per-minute'],
        ['Read/write', 'read/write'],
        ['Fees & billing', 'fees-&-billing'],
        ['OAuth', 'oauth'],
        ['OAuth', 'oauth-2'],
      ],
    ],
    [
      'vitepress',
      [
        ['Éclair', 'eclair'],
        ['3. Deploy', '_3-deploy'],
        ['c.req.param()', 'c-req-param'],
        ['C req: param', 'c-req-param-1'],
        ['C req, param', 'c-req-param-2'],
      ],
    ],
    [
      'mkdocs',
      [
        ['A & b', 'a-b'],
        ['A b', 'a-b_1'],
        ['A_1', 'a_1'],
        ['A 中', 'a'],
        ['中文', '_1'],
        ['文中', '_2'],
      ],
    ],
    [
      'mkdocs-unicode',
      [
        ['中文 A', '中文-a'],
        ['中文 a', '中文-a_1'],
      ],
    ],
    ['mkdocs-unicode-cased', [['中文 A', '中文-A']]],
  ])('follow the rules of %s', (style, headings) => {
    expect(
      anchorsOf(
        headings.map(([heading]) => heading),
        style,
      ),
    ).toEqual(headings.map(([, id]) => id))
  })

  it('are found again in any part of the page', () => {
    const page = writeHeadingIds('# One\n\n> ## One\n\n- ## Two.x\n\n```\n# One\n```\n\n## One', 'docs-json')

    expect(page).toBe('# One\n\n> ## One {#one-2}\n\n- ## Two.x {#two-x}\n\n```\n# One\n```\n\n## One {#one-3}')
    expect(anchorOf('> ## One {#one-2}')).toBe('one-2')
  })

  it('are written only where they say more than the text', () => {
    expect(writeHeadingIds('## Plain {#plain}\n\n## 🎉', 'github')).toBe('## Plain\n\n## 🎉')
  })

  it('are written once, however often, and never change the text', () => {
    const heading = fc.constantFrom(
      '# A',
      '## A',
      '## A {#b}',
      '## b',
      '## A-1',
      '##',
      '# {#c}',
      '```',
      'text {#d}',
      '> # é',
    )
    fc.assert(
      fc.property(fc.array(heading), fc.constantFrom<AnchorStyle>('github', 'docs-json', 'mkdocs'), (lines, style) => {
        const written = writeHeadingIds(lines.join('\n'), style)

        expect(listAnchors(writeHeadingIds(written, style))).toEqual(listAnchors(written))
        expect(hideHeadingIds(written)).toBe(hideHeadingIds(lines.join('\n')))
      }),
    )
  })
})

it('hides ids in headings, and leaves everything else', () => {
  const text = '## A {#b}\n\nSee {#c}.\n\n```md\n## D {#e}\n```'

  expect(hideHeadingIds(text)).toBe('## A\n\nSee {#c}.\n\n```md\n## D {#e}\n```')
})

it('takes time linear in the length of hostile headings', () => {
  const spaces = ' '.repeat(200_000)
  const repeated = '# a\n'.repeat(50_000)

  expect(writeHeadingIds(`# a${spaces}{#${spaces}`, 'github')).toContain('# a')
  expect(listAnchors(writeHeadingIds(repeated, 'github'))).toHaveLength(50_000)
})
