import { analyzeQuery } from '../src/base/text-analysis/analyze-text.ts'
import { listFacts } from '../src/agent/counterfactual/list-facts.ts'
import type { SitePage } from '../src/content/site-page.ts'

export const seedKinds = ['removed', 'moved', 'contradicted'] as const
export type SeedKind = (typeof seedKinds)[number]

/** A sentence of a page, and a question that it answers. */
export interface SeedFact {
  page: SitePage
  sentence: string
  question: string
}

type Files = Map<string, string>

/** Sentences that stand in their files as they read, each with a question in its own words. One a page. */
export function listSeedFacts(pages: readonly SitePage[], random: () => number): SeedFact[] {
  return pages.flatMap((page) => {
    const facts = listFacts(page).filter(({ text }) => isSentence(text) && countOf(page.source?.text ?? '', text) === 1)
    const fact = facts[Math.floor(random() * facts.length)]
    return fact === undefined ? [] : [{ page, sentence: fact.text, question: askFor(fact.text, page.title) }]
  })
}

const isSentence = (text: string) => /^\p{Lu}[^\n|<{]{50,240}[.。]$/u.test(text)
const countOf = (text: string, part: string) => text.split(part).length - 1

function askFor(sentence: string, title: string): string {
  const words = analyzeQuery(sentence, 'en').map(({ surface }) => surface)
  return `${title}: what about ${words
    .filter((word) => !/\d/.test(word))
    .slice(0, 9)
    .join(' ')}?`
}

/** @returns Null if the sentence has nothing that could be changed so. */
export function seedChange(files: Files, kind: SeedKind, { page, sentence }: SeedFact, target: SitePage): Files | null {
  const text = files.get(page.file) ?? ''
  const replaced = kind === 'contradicted' ? contradict(sentence) : ''
  if (replaced === null || !text.includes(sentence)) return null
  const changed = new Map(files).set(
    page.file,
    text.replace(sentence, () => replaced),
  )
  if (kind === 'moved') changed.set(target.file, `${changed.get(target.file)?.trimEnd()}\n\n${sentence}\n`)
  return changed
}

const swaps: readonly [RegExp, (found: string) => string][] = [
  [/(?<![\w.-])\d+(?![\w.-])/, (found) => String(Number(found) * 3 + 7)],
  [/(?<=`)[A-Za-z][\w.-]{2,}(?=`)/, (found) => `other-${found}`],
  [/\b(?:is|are|can|must|will|does|do) (?!not\b)/, (found) => `${found}not `],
  [/\b(?:enabled|always|required|before|minimum|public)\b/, (found) => opposites[found] ?? found],
  [/ not /, () => ' '],
]
const opposites: Readonly<Record<string, string>> = {
  enabled: 'disabled',
  always: 'never',
  required: 'optional',
  before: 'after',
  minimum: 'maximum',
  public: 'private',
}

function contradict(sentence: string): string | null {
  // Readers do not see the address of a link.
  const parts = sentence.split(/(\]\([^()\s]*\))/)
  for (const [pattern, change] of swaps) {
    const at = parts.findIndex((part, index) => index % 2 === 0 && pattern.test(part))
    if (at !== -1) return parts.with(at, (parts[at] ?? '').replace(pattern, change)).join('')
  }
  return null
}

export const neutralKinds = ['reflowed', 'whitespace', 'marks', 'synonyms', 'navigation', 'moved-page'] as const
export type NeutralKind = (typeof neutralKinds)[number]

/**
 * A change that changes nothing for readers.
 *
 * @param unrelated A page that answers none of the questions asked.
 * @returns Null if the page has nothing to change so.
 */
export function seedNeutral(files: Files, kind: NeutralKind, page: SitePage, unrelated: SitePage): Files | null {
  const { file } = kind === 'synonyms' ? unrelated : page
  const text = files.get(file) ?? ''
  const edit = (changed: string) => (changed === text ? null : new Map(files).set(file, changed))
  switch (kind) {
    case 'reflowed':
      return edit(mapProse(text, reflow))
    case 'whitespace':
      return edit(mapProse(text, (line) => line).replace(/\n\n(?=\p{Lu})/gu, '\n\n\n'))
    case 'marks':
      return edit(mapProse(text, (line) => line.replace(/^- /, '* ').replace(/\*\*([^*\n]+)\*\*/g, '__$1__')))
    case 'synonyms':
      return edit(
        mapProse(text, (line) =>
          line.replace(/(?<![\w/`.-])(?:use|create|show|begin|start)(?![\w/`.-])/g, (word) => synonyms[word] ?? word),
        ),
      )
    case 'navigation':
      return reverseNavigation(files)
    case 'moved-page':
      return movePage(files, page)
  }
}

const synonyms: Readonly<Record<string, string>> = {
  use: 'employ',
  create: 'make',
  show: 'display',
  begin: 'start',
  start: 'begin',
}

/** Edits lines that are plain paragraphs or items, outside of frontmatter and code. */
function mapProse(text: string, edit: (line: string) => string): string {
  const [, head = '', body = text] = /^(---\n[\s\S]*?\n---\n)([\s\S]*)$/.exec(text) ?? []
  let isCode = false
  const lines = body.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    return isCode || !/^(?:- )?\p{Lu}/u.test(line) ? line : edit(line)
  })
  return head + lines.join('\n')
}

/** Breaks a long line at spaces outside of links, code and tags. */
function reflow(line: string): string {
  if (/[<{|]/.test(line) || line.startsWith('- ') || line.length < 80) return line
  let width = 0
  return line.replace(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+ ?/g, (word) => {
    width += word.length
    if (width < 60 || !word.endsWith(' ')) return word
    width = 0
    return `${word.trimEnd()}\n`
  })
}

function reverseNavigation(files: Files): Files | null {
  const config = [...files.keys()].find((file) => /(?:^|\/)docs\.json$/.test(file))
  if (config === undefined) return null
  const reverse = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.every((item) => typeof item === 'string') ? value.toReversed() : value.map(reverse)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reverse(item)]))
  }
  const { navigation, ...rest } = JSON.parse(files.get(config) ?? '{}') as { navigation?: unknown }
  return new Map(files).set(config, JSON.stringify({ ...rest, navigation: reverse(navigation) }, null, 2))
}

/** With a redirect, and with the links and the navigation entries that lead to it. */
function movePage(files: Files, { file, path }: SitePage): Files | null {
  const text = files.get(file)
  if (text === undefined || path === '/' || /index\.mdx?$/.test(file)) return null
  const [to, newPath] = [file.replace(/(\.mdx?)$/, '-renamed$1'), `${path}-renamed`]
  const changed = new Map([...files].filter(([name]) => name !== file)).set(to, text)
  const [old, now] = [file.replace(/\.mdx?$/, ''), to.replace(/\.mdx?$/, '')]
  for (const [name, content] of changed) {
    if (name.endsWith('.json'))
      changed.set(name, content.replaceAll(`"${old}"`, `"${now}"`).replaceAll(`"/${old}"`, `"/${now}"`))
    if (/\.mdx?$/.test(name))
      changed.set(name, content.replaceAll(`(${path})`, `(${newPath})`).replaceAll(`(${path}#`, `(${newPath}#`))
  }
  return changed.set('_redirects', `${changed.get('_redirects') ?? ''}\n${path} ${newPath} 301\n`)
}
