import type { AgentProgram, ProgramCall } from './agent-program.ts'
import { findFilesWith, findNamedPages, isForAgents, isPage } from './edit-pages.ts'
import { readField, refuseProgram } from './find-page.ts'

export interface Replacement {
  from: string
  to: string
  /** Names of pages; `pages` for every page, `files` for every text file. */
  scope: readonly string[] | 'pages' | 'files'
}

const callsAtOnce = 25

/** Replaces a text in pages or all text files. */
export function* replaceText({ from, to, scope }: Replacement): AgentProgram {
  if (from === to) return refuseProgram(`“${from}” and its replacement are the same.`)
  const pages = typeof scope === 'string' ? null : yield* findNamedPages(scope)
  if (typeof pages === 'string') return refuseProgram(pages)
  const found = yield* findFilesWith(from)
  const paths = found.filter((path) => (pages === null ? isInScope(path, scope) : pages.includes(path)))
  const done: { path: string; count: number }[] = []
  for (let start = 0; start < paths.length; start += callsAtOnce) {
    const batch = paths.slice(start, start + callsAtOnce)
    const outcomes = yield batch.map((path): ProgramCall => ({
      toolName: 'edit',
      input: { path, find: from, replace: to, all: true, wholeWord: true },
    }))
    for (const [index, outcome] of outcomes.entries()) {
      const count = outcome.isOk ? Number(readField(outcome.output, 'replaced') ?? 0) : 0
      if (count > 0) done.push({ path: batch[index] ?? '', count })
    }
  }
  if (done.length === 0)
    return refuseProgram(`“${from}” occurs nowhere that was asked about, or only inside longer words.`)
  const total = done.reduce((sum, { count }) => sum + count, 0)
  const where = done.length === 1 ? `in ${done[0]?.path}` : `in ${done.length} files`
  return {
    title: `Replace “${shorten(from)}” by “${shorten(to)}”`,
    summary: `Replaced “${from}” by “${to}” ${total === 1 ? 'once' : `${total} times`} ${where}, as asked.`,
  }
}

function isInScope(path: string, scope: Replacement['scope']): boolean {
  if (scope !== 'files') return isPage(path)
  if (isForAgents(path) || /(?:^|\/)package(?:-lock)?\.json$/.test(path)) return false
  return /\.(?:mdx?|json|ya?ml|txt)$/i.test(path)
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 25 ? `${line.slice(0, 24)}…` : line
}
