import { isPageFile } from '../trees/source-path.ts'
import type { ChangedFile } from './changed-files.ts'
import type { LinkTarget } from './check-links.ts'
import type { SiteState } from './site-state.ts'

/** How a change affects links on the rest of the site. */
export interface Affected {
  /** Unchanged files that may link to a removed address or anchor. */
  linking: readonly string[]
  /** Whether a link's target may have changed. */
  isAffected: (target: LinkTarget | 'outside') => boolean
}

/**
 * Finds the pages that link to something that was moved or removed, or whose headings changed.
 *
 * Searches the text of every page for the removed addresses and anchors, and parses only the pages that match.
 */
export async function affectedBy(
  { before, after, files }: { before: SiteState; after: SiteState; files: readonly ChangedFile[] },
  signal: AbortSignal,
): Promise<Affected> {
  const changed = new Set(files.map(({ path }) => path))
  const moved = listMoved(before, after, changed)
  const names = new Set([...moved.gone].flatMap((path) => namesOf(before, path)))
  const sections = new Set<string>()
  for (const path of moved.changed) {
    if (await hasLostAnchors(before, after, path)) for (const name of namesOf(before, path)) sections.add(name)
  }
  const linking = await findLinking(after, changed, [linkEnd(names, '[)"\'#?\\s]|$'), linkEnd(sections, '#')], signal)
  const paths = new Set([...moved.gone, ...moved.changed])
  return {
    linking,
    isAffected: (target) => target !== 'outside' && paths.has(target.path),
  }
}

/** `gone`: addresses that no longer exist. `changed`: addresses whose page, or file, changed. */
function listMoved(before: SiteState, after: SiteState, changed: ReadonlySet<string>) {
  const gone = new Set<string>()
  const kept = new Set<string>()
  for (const [path, file] of before.outline.routes) {
    const now = after.outline.routes.get(path)
    if (now === undefined) gone.add(path)
    else if (changed.has(file) || changed.has(now)) kept.add(path)
  }
  for (const [path, file] of after.outline.routes) if (changed.has(file)) kept.add(path)
  return { gone, changed: kept }
}

async function hasLostAnchors(before: SiteState, after: SiteState, path: string): Promise<boolean> {
  const [fileBefore, fileAfter] = [before.outline.routes.get(path), after.outline.routes.get(path)]
  if (fileBefore === undefined || fileAfter === undefined) return false
  const [pageBefore, pageAfter] = [await before.outline.page(fileBefore), await after.outline.page(fileAfter)]
  if (pageBefore === null || pageAfter === null || pageBefore.body === pageAfter.body) return false
  const now = (await after.facts(pageAfter)).anchors
  return [...(await before.facts(pageBefore)).anchors].some((key) => !now.has(key))
}

/** Matches a link that ends in one of the names; null without names. */
function linkEnd(names: ReadonlySet<string>, end: string): RegExp | null {
  if (names.size === 0) return null
  const choices = [...names].map((name) => name.replace(/[^\p{L}\p{N}_/]/gu, '\\$&'))
  return new RegExp(`[/("'\\s](?:${choices.join('|')})(?:\\.mdx?|/)?(?:${end})`, 'm')
}

async function findLinking(
  after: SiteState,
  changed: ReadonlySet<string>,
  patterns: readonly (RegExp | null)[],
  signal: AbortSignal,
): Promise<string[]> {
  const wanted = patterns.filter((pattern) => pattern !== null)
  if (wanted.length === 0) return []
  const found: string[] = []
  for (const file of after.outline.tree.paths) {
    signal.throwIfAborted()
    if (changed.has(file) || !isPageFile(file)) continue
    const page = await after.outline.page(file)
    if (page !== null && wanted.some((pattern) => pattern.test(page.body))) found.push(file)
  }
  return found
}

/** Last segments of links to a path, by its address or its file. The root has an empty one. */
function namesOf({ outline }: SiteState, path: string): string[] {
  const stem = (outline.routes.get(path) ?? '').replace(/(?:^|\/)index\.mdx?$|\.mdx?$/i, '')
  return [path, stem].map((text) => text.split('/').at(-1) ?? '')
}
