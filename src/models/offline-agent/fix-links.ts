import type { JsonValue } from '../../contract/json.ts'
import type { AgentProgram } from './agent-program.ts'
import { callOne, listMarkdown, readField, refuseProgram, type ProgramPart, textOf, toRoute } from './find-page.ts'

interface BrokenLink {
  path: string
  url: string
}

/** The checks report a limited number at a time; repaired links are gone from the next report. */
const roundsMax = 20

/** Fixes the broken links with only one possible target, and names the others. */
export function* fixLinks(): AgentProgram {
  const pages = yield* listMarkdown('')
  const fixed: string[] = []
  const left = new Map<string, BrokenLink>()
  for (let round = 0; round < roundsMax; round++) {
    const links = (yield* listBrokenLinks()).filter((link) => !left.has(keyOf(link)))
    if (links.length === 0) break
    for (const link of links) {
      left.set(keyOf(link), link)
      const page = chooseTarget(link.url, pages)
      if (page === null || !(yield* fixLink(link, page))) continue
      left.delete(keyOf(link))
      fixed.push(`${link.url} on ${link.path}`)
    }
  }
  const notDone = [...left.values()].map(({ path, url }) => `${url} on ${path}`).join(', ')
  const open = notDone === '' ? {} : { notDone: `These do not name exactly one page: ${notDone}.`.slice(0, 1_000) }
  if (fixed.length === 0)
    return { ...refuseProgram(notDone === '' ? 'No link is broken.' : 'No broken link could be fixed.'), ...open }
  const count = fixed.length === 1 ? 'a broken link' : `${fixed.length} broken links`
  return { title: `Fix ${count}`, summary: `Fixed ${count}: ${fixed.slice(0, 20).join(', ')}.`, ...open }
}

function keyOf({ path, url }: BrokenLink): string {
  return `${path}\n${url}`
}

function* listBrokenLinks(): ProgramPart<BrokenLink[]> {
  const checked = yield* callOne('check', { everything: true })
  const problems = checked.isOk ? readField(checked.output, 'problems') : null
  return (Array.isArray(problems) ? problems : []).flatMap(readBrokenLink)
}

/** The message of the problem contains the address as JSON. */
function readBrokenLink(problem: JsonValue): BrokenLink[] {
  if (readField(problem, 'rule') !== 'link-broken') return []
  const written = /"(?:[^"\\]|\\.)*"/.exec(textOf(problem, 'message'))?.[0]
  if (written === undefined) return []
  return [{ path: textOf(problem, 'path'), url: String(JSON.parse(written)) }]
}

/** The only page whose path ends like the link, or differs from it by one letter. */
function chooseTarget(url: string, pages: readonly string[]): string | null {
  const route = toRoute(url.replace(/[?#].*$/, '').replaceAll(/(?:^|\/)\.\.?(?=\/)/g, ''))
  const last = route.split('/').at(-1) ?? ''
  if (last === '') return null
  const sameName = pages.filter((page) => toRoute(page).split('/').at(-1) === last)
  if (sameName.length === 1) return sameName[0] ?? null
  const alike = pages.filter((page) => isAlike(toRoute(page), route))
  return alike.length === 1 ? (alike[0] ?? null) : null
}

/** One letter added, removed or changed. */
function isAlike(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  return [
    [0, 1],
    [1, 0],
    [1, 1],
  ].some(([skipA = 0, skipB = 0]) => a.slice(start + skipA) === b.slice(start + skipB))
}

function* fixLink({ path, url }: BrokenLink, page: string): ProgramPart<boolean> {
  const suffix = /[?#].*$/.exec(url)?.[0] ?? ''
  const route = page.replace(/\.mdx?$/i, '').replace(/(?:^|\/)index$/i, '')
  const target = `/${/\.mdx?(?:[?#]|$)/i.test(url) ? page : route}${suffix}`
  for (const [before, after] of [
    ['(', ')'],
    ['"', '"'],
    ["'", "'"],
    ['(', ' '],
    ['<', '>'],
  ] as const) {
    const edited = yield* callOne('edit', {
      path,
      find: before + url + after,
      replace: before + target + after,
      all: true,
    })
    if (edited.isOk) return true
  }
  return false
}
