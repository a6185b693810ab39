import { isDeepStrictEqual } from 'node:util'
import { parseJson } from '../../base/parse-json.ts'
import { deletionConsent, deletionsMax } from '../../contract/agent-job.ts'
import { type Fault, makeFault } from '../checks/problem.ts'
import type { SiteOutline } from '../checks/site-outline.ts'
import { readStateAfter, type SiteState } from '../checks/site-state.ts'
import { FindingList } from '../finding-list.ts'
import { readFrontmatterFields, splitFrontmatter } from '../markdown/read-frontmatter.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { isPageFile } from '../trees/source-path.ts'
import { checkRedirects, refuseRedirect } from './check-redirects.ts'
import { findUses, type FileUse } from './find-uses.ts'

const usesNamedMax = 3

export interface RemovalsInput {
  /** The site before the change. */
  before: SiteState
  after: FileTree
  /** Paths that no longer exist, without those of moved files. */
  deleted: readonly string[]
  /** Paths that the job deleted in earlier rounds. */
  earlier: readonly string[]
  /** Former path → new path of moved files. */
  moved: ReadonlyMap<string, string>
  added: readonly string[]
  /** Paths whose text is different. */
  modified: readonly string[]
}

/**
 * Finds what a change removes that only an owner may remove: many files, the home page, and files that others still use
 * after the change.
 * A page that loses its text counts as deleted, and so does one that its fields or its new place withdraw, or whose
 * address another page takes. The links of moved pages are not judged here, because redirects serve them.
 */
export async function checkRemovals(input: RemovalsInput, signal: AbortSignal): Promise<Fault[]> {
  const { before, after, moved, deleted, earlier } = input
  const { outline } = before
  const isConfigured = input.modified.some((path) => !isPageFile(path))
  const pages = await readChangedPages(input)
  const redirected = [
    ...(isConfigured ? await checkRedirects(outline, after) : []),
    ...findClaims(outline, after, pages),
  ]
  const kept = new Set(after.paths)
  const emptied = pages.filter(isEmptied).map(({ path }) => path)
  const left = await listUnreachable(input, pages, signal)
  const gone = new Set([...deleted, ...emptied, ...left, ...earlier.filter((path) => !kept.has(path))])
  const routed = new Set(outline.routes.values())
  // Of a small site, five pages may be all.
  const isAll = routed.size > 1 && [...routed].every((path) => gone.has(path))
  if (gone.size > deletionsMax || isAll) return [...redirected, refuseMany([...gone], isAll)]
  const home = findHome(outline)
  if (home !== null && gone.has(home)) return [...redirected, refuseHome(home)]
  const removed = [...deleted, ...[...moved.keys()].filter((path) => !routed.has(path))]
  if (removed.length === 0) return redirected
  const uses = await findUses({ outline, after, removed }, signal)
  return [
    ...redirected,
    ...[...Map.groupBy(uses, ({ target }) => target)].map(([path, found]) => refuseUsed(path, found)),
  ]
}

/** The page at the address that all others are below. */
function findHome({ routes }: SiteOutline): string | null {
  const [top] = [...routes.keys()].toSorted((a, b) => a.length - b.length)
  const below = top === undefined || top.endsWith('/') ? top : `${top}/`
  const isAbove =
    below !== undefined && [...routes.keys()].every((address) => address === top || address.startsWith(below))
  return isAbove ? (routes.get(top ?? '') ?? null) : null
}

/** Pages that are still there, but not at an address, or not at theirs because another page has it. */
async function listUnreachable(
  { before, after, moved, deleted, added, modified }: RemovalsInput,
  pages: readonly ChangedPage[],
  signal: AbortSignal,
): Promise<string[]> {
  const { routes } = before.outline
  const mayMove = moved.size > 0 || modified.some((path) => !isPageFile(path)) || pages.some(hasOtherFields)
  if (!mayMove) return []
  const changed = new Set([...deleted, ...added, ...modified, ...moved.keys(), ...moved.values()])
  const now = (await readStateAfter(before, { after, changed }, signal)).outline.routes
  const kept = new Set(after.paths)
  const reached = new Set(now.values())
  const home = findHome(before.outline)
  return [...routes].flatMap(([address, file]) => {
    const place = moved.get(file) ?? file
    const other = now.get(address)
    const isTaken = other !== undefined && other !== place
    // Readers start at this address.
    const isLeft = file === home && other === undefined
    return kept.has(place) && (isTaken || isLeft || !reached.has(place)) ? [file] : []
  })
}

interface ChangedPage {
  path: string
  /** Null of a new page. */
  before: PageState | null
  now: PageState
}

interface PageState {
  words: number
  fields: Readonly<Record<string, unknown>>
}

async function readChangedPages({ before, after, added, modified, moved }: RemovalsInput): Promise<ChangedPage[]> {
  const { tree } = before.outline
  const changed = [
    ...added.map((path) => [null, path] as const),
    ...modified.map((path) => [path, path] as const),
    ...moved,
  ]
  const pages: ChangedPage[] = []
  // What git lists as a file may not be readable, such as a symbolic link that leads nowhere.
  const [past, kept] = [new Set(tree.paths), new Set(after.paths)]
  for (const [old, path] of changed.filter(([, to]) => isPageFile(to) && kept.has(to))) {
    const state = old !== null && isPageFile(old) && past.has(old) ? await readPage(tree, old) : null
    pages.push({ path: old ?? path, before: state, now: await readPage(after, path) })
  }
  return pages
}

function isEmptied({ before, now }: ChangedPage): boolean {
  if (before === null || before.words === 0 || isWithdrawn(before)) return false
  return isWithdrawn(now) || now.words <= before.words * keptShareMin
}

function hasOtherFields({ before, now }: ChangedPage): boolean {
  return !isDeepStrictEqual(before?.fields ?? {}, now.fields)
}

/** Pages that newly claim the address of one that is still there. */
function findClaims({ routes }: SiteOutline, after: FileTree, pages: readonly ChangedPage[]): Fault[] {
  const kept = new Set(after.paths)
  return pages.flatMap(({ path, before, now }) => {
    const known = new Set(before === null ? [] : listClaims(before))
    const taken = listClaims(now).find((address) => {
      const file = routes.get(address)
      return !known.has(address) && (address === '/' || (file !== undefined && kept.has(file))) && file !== path
    })
    return taken === undefined ? [] : [refuseRedirect(path, taken)]
  })
}

const claiming = /^(?:slug|permalink|url|aliases|redirect_from)$/

function listClaims({ fields }: PageState): string[] {
  const values = Object.entries(fields).flatMap(([name, value]) => (claiming.test(name) ? [value].flat() : []))
  return values.flatMap((value) =>
    typeof value === 'string' && value.startsWith('/')
      ? [value.replace(/(?:(?<=\/)index)?(?:\.html?)?\/*$/, '').replace(/\/+$/, '') || '/']
      : [],
  )
}

const decoder = new TextDecoder()

/** Of the words that a page had; what keeps less has lost its text, whatever replaced it. */
const keptShareMin = 0.2

async function readPage(tree: FileTree, path: string): Promise<PageState> {
  const text = decoder.decode(await tree.read(path)).replaceAll('\r\n', '\n')
  const { yaml, body } = splitFrontmatter(text)
  const fields = yaml === null ? readToml(text) : readFrontmatterFields(yaml, path, new FindingList())
  return { words: countWords(body), fields }
}

/** Fields of Hugo's other frontmatter, as far as they are on one line. */
function readToml(text: string): Record<string, unknown> {
  const [, toml = ''] = /^\+{3}[ \t]*\n([^]*?)\n\+{3}[ \t]*(?:\n|$)/.exec(text) ?? []
  const lines = toml.matchAll(/^[ \t]*([\w-]+)[ \t]*=[ \t]*(.+)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, parseJson(value) ?? value]))
}

/** Without comments and definitions of links. */
function countWords(body: string): number {
  const shown = dropClosed(dropClosed(body, /<!--[^]*?-->/g, '-->'), /\{\/\*[^]*?\*\/\}/g, '*/}')
    // At the beginning of a line, a comment without an end hides the rest of the page.
    .replace(/^ {0,3}<!--[^]*/m, '')
    .replace(/^ {0,3}\[[^\]\n]+\]:.*$/gm, '')
  return shown.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}

/** Looks only as far as there is an end, because a pattern would look for it from each beginning. */
function dropClosed(text: string, comment: RegExp, end: string): string {
  const last = text.lastIndexOf(end) + end.length
  return text.includes(end) ? text.slice(0, last).replace(comment, '') + text.slice(last) : text
}

/** Fields by which formats leave a page out, or out of all lists and searches, and the values that do so. */
const withdrawing: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(?:draft|unlisted|hidden|private|noindex|headless|eleventyexcludefromcollections)$/, /^(?:true|yes|on)$/],
  [/^(?:published|public|permalink|searchable|pagefind)$/, /^(?:false|no|off)$/],
  [/^(?:_?build|search|robots|seo)$/, /never|"exclude":true|noindex|none/],
  [/^outputs$/, /^(?!.*html)/],
  [/^(?:groups|expirydate|publishdate)$/, /./],
]

function isWithdrawn({ fields }: PageState): boolean {
  return Object.entries(fields).some(([name, value]) => {
    const written = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toLowerCase()
    return withdrawing.some(([field, values]) => field.test(name.toLowerCase()) && values.test(written.trim()))
  })
}

function refuseMany(paths: readonly string[], isAll: boolean): Fault {
  const most = isAll ? 'not every page of the site' : `${deletionsMax} at most`
  const message = `The job would delete ${paths.length} files, and without an owner's consent it may delete ${most}. Keep the rest, and name them as not done. ${deletionConsent}`
  return makeFault({ rule: 'deletions-too-many', path: paths[0] ?? '', line: null, message, detail: '' })
}

function refuseHome(path: string): Fault {
  const message = `${path} is the home page of the site, which a job may not delete, empty, hide or move away without an owner's consent. Edit it instead. ${deletionConsent}`
  return makeFault({ rule: 'deletions-too-many', path, line: null, message, detail: '' })
}

function refuseUsed(path: string, uses: readonly FileUse[]): Fault {
  const named = uses.slice(0, usesNamedMax).map(({ file, line }) => `${file} line ${line}`)
  const more = uses.length - named.length
  const list = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const message = `${path} is still used: ${list}. Change what uses it first, or keep the file. ${deletionConsent}`
  return makeFault({ rule: 'file-in-use', path, line: null, message, detail: '' })
}
