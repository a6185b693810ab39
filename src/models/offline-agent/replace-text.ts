import type { AgentProgram, ProgramCall } from './agent-program.ts'
import { callOne, readField, findPage, refuseProgram, textOf } from './find-page.ts'
import {
  instructionPattern,
  type InstructionWords,
  pageList,
  quotedWord,
  readPageList,
  textWord,
  valueOf,
} from './instruction-words.ts'

interface Replacement {
  from: string
  to: string
  /** Names of pages; `pages` for every page, `files` for every text file. */
  scope: readonly string[] | 'pages' | 'files'
}

const subject =
  '(?:the )?(?:(?:word|text|term|phrase|name|string|command|url|link|address|version|sentence|spelling)s? )?'
const everyPage =
  '(?:(?:on|in|across|of) (?:every|all|each)(?: of)?(?: the)? (?:pages?|docs|documents)|throughout the (?:docs|documentation|site))'
const everywhere = '(?:everywhere|(?:in|across) (?:all|every)(?: the)? files?|all over)'
const requiredScope = `(?: (?:(${everyPage})|(${everywhere})|(?:in|on) (?:the )?(?:pages? |files? )?${pageList}))`
const scope = `${requiredScope}?`

const patterns = [
  {
    pattern: instructionPattern(
      `(?:replace|substitute|swap) (?:every |all |each )?${subject}${textWord} (?:by|with|for) ${subject}${textWord}${scope}`,
    ),
    isReversed: false,
  },
  {
    pattern: instructionPattern(
      `(?:change|correct|fix|update) (?:every |all |each )?${subject}${quotedWord} (?:to|into) ${subject}${quotedWord}${scope}`,
    ),
    isReversed: false,
  },
  {
    pattern: instructionPattern(`rename ${subject}${quotedWord} (?:to|into) ${quotedWord}${requiredScope}`),
    isReversed: false,
  },
  {
    pattern: instructionPattern(
      `(?:rename|change) the (?:word|text|term|phrase|name|product) ${textWord} (?:to|into) ${textWord}${scope}`,
    ),
    isReversed: false,
  },
  {
    pattern: instructionPattern(`(?:write|use|say|put) ${textWord} (?:instead|in place) of ${textWord}${scope}`),
    isReversed: true,
  },
]

/** `Replace "A" by "B" on every page`, and similar. */
export function readReplaceText(words: InstructionWords): AgentProgram | null {
  for (const { pattern, isReversed } of patterns) {
    const match = pattern.exec(words.text)
    if (match === null) continue
    const [, first = '', second = '', pages, files, list] = match
    const texts = [valueOf(words, first), valueOf(words, second)] as const
    const [from, to] = isReversed ? [texts[1], texts[0]] : texts
    if (from.trim() === '') return null
    const named = list === undefined ? 'pages' : readPageList(words, list)
    return replaceText({ from, to, scope: files !== undefined ? 'files' : pages !== undefined ? 'pages' : named })
  }
  return null
}

const callsAtOnce = 20

function* replaceText({ from, to, scope }: Replacement): AgentProgram {
  if (from === to) return refuseProgram(`“${from}” and its replacement are the same.`)
  const pages = typeof scope === 'string' ? null : yield* findPages(scope)
  if (typeof pages === 'string') return refuseProgram(pages)
  const firstLine = from.split('\n').find((line) => line.trim() !== '') ?? from
  const found = yield* callOne('grep', { pattern: firstLine, literal: true, filesOnly: true })
  const files = found.isOk ? readField(found.output, 'files') : []
  const paths = (Array.isArray(files) ? files : [])
    .map((file) => textOf(file, 'path'))
    .filter((path) => (pages === null ? isInScope(path, scope) : pages.includes(path)))
  const done: { path: string; count: number }[] = []
  for (let start = 0; start < paths.length; start += callsAtOnce) {
    const batch = paths.slice(start, start + callsAtOnce)
    const outcomes = yield batch.map((path): ProgramCall => ({
      toolName: 'edit',
      input: { path, find: from, replace: to, all: true },
    }))
    for (const [index, outcome] of outcomes.entries()) {
      const count = outcome.isOk ? Number(readField(outcome.output, 'replaced') ?? 0) : 0
      if (count > 0) done.push({ path: batch[index] ?? '', count })
    }
  }
  if (done.length === 0) return refuseProgram(`“${from}” occurs nowhere that was asked about.`)
  const total = done.reduce((sum, { count }) => sum + count, 0)
  const where = done.length === 1 ? `in ${done[0]?.path}` : `in ${done.length} files`
  return {
    title: `Replace “${shorten(from)}” by “${shorten(to)}”`,
    summary: `Replaced “${from}” by “${to}” ${total === 1 ? 'once' : `${total} times`} ${where}, as asked.`,
  }
}

function* findPages(names: readonly string[]) {
  const found: string[] = []
  for (const name of names) {
    const path = yield* findPage(name)
    if (path === null) return `There is no page “${name}”, or several have that name.`
    found.push(path)
  }
  return found
}

/** Instructions for agents are not pages, wherever they are. */
function isInScope(path: string, scope: Replacement['scope']): boolean {
  if (/(?:^|\/)(?:agents|claude|gemini)\.md$|^\./i.test(path)) return false
  if (scope === 'files')
    return /\.(?:mdx?|json|ya?ml|txt)$/i.test(path) && !/(?:^|\/)package(?:-lock)?\.json$/.test(path)
  return /\.mdx?$/i.test(path)
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 25 ? `${line.slice(0, 24)}…` : line
}
