import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { visit } from 'unist-util-visit'
import { expect, it } from 'vitest'
import { describeDrift } from '../../drift/describe-drift.ts'
import type { FactForm } from '../../drift/fact.ts'
import { writeDriftReport } from './write-drift-report.ts'

const hostile = [
  '` [x](https://evil.example) `',
  '`` ![i](https://evil.example/i.png)',
  '@team <img src=x onerror=alert(1)> <!-- docent:drift x -->',
  '\n\n# Heading\n\n</details> https://evil.example fixes #1',
  '\u202e](javascript:alert(1))[',
]

function report(text: string, form: FactForm, path: string | undefined) {
  const fact = {
    form,
    key: 'a_b',
    name: text,
    owner: text,
    value: text,
    line: 3,
    isPublic: true,
    repository: text,
    path: text,
    base: 'c0ffee0123',
    revision: 'decade4567',
    successor: text,
    isRenamed: true,
    newPath: text,
    newLine: 4,
    package: '',
  }
  const mention = {
    form: 'name' as const,
    key: 'a_b',
    name: text,
    owner: '',
    value: '',
    line: 1,
    source: '',
    isName: true,
  }
  const drift = { fact, page: text, object: '', mentions: [{ ...mention, place: 'inline' as const }], isCertain: true }
  const { details, ...rest } = describeDrift(drift, text.replaceAll('\n', ' '))
  const places = details.places.map((place) => ({ ...place, ...(path !== undefined && { path }) }))
  return writeDriftReport([{ ...rest, details: { ...details, places } }], {
    siteUrl: 'https://docs.example',
    folds: true,
  })
}

/** What Markdown shows as more than words, and the words outside of code. */
function readEffects(markdown: string): string[] {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const effects: string[] = []
  visit(tree, (node) => {
    if (['html', 'image', 'heading', 'linkReference'].includes(node.type)) effects.push(node.type)
    if (node.type === 'link') effects.push(node.url)
    if (node.type === 'text') effects.push(node.value)
  })
  return effects
}

const forms = ['exported', 'default', 'file', 'parameter'] as const

it('turns no text of products and pages into links, mentions or markup', () => {
  const effects = forms.flatMap((form) =>
    hostile.flatMap((text) => readEffects(report(text, form, '/guide)[x](https://evil.example'))),
  )

  expect(effects.filter((effect) => /^(?:html|image|heading|linkReference)$|@team|#1/.test(effect))).toEqual([])
  expect(effects.filter((effect) => effect.includes('evil') && !effect.startsWith('https://docs.example/'))).toEqual([])
})

it('quotes only pages that anybody may read, because whoever opens a pull request chooses the names', () => {
  expect(report('secretName is 42', 'exported', undefined)).not.toContain('line 1: ')
  expect(report('secretName is 42', 'exported', '/guide')).toContain('line 1: `secretName is 42`')
})
