import type { AgentToolDeps } from './agent-tool.ts'
import { removeFromNavigation, renameInNavigation } from './navigation-file.ts'
import {
  isPagePath,
  leadsTo,
  resolveDestination,
  rewriteDestination,
  rewriteLinks,
  routeOf,
  unlink,
} from './page-links.ts'
import { decodeText } from './text-file.ts'

type MoveDeps = Pick<AgentToolDeps, 'overlay' | 'grep' | 'navigationFile'>

/** Most lines to search for links to a page. */
const linesMax = 20_000

/**
 * Moves a file and updates the links to it, its own relative links, and the navigation, with a redirect.
 *
 * @returns The other changed files.
 */
export async function moveWithLinks(
  deps: MoveDeps,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<string[]> {
  const { overlay, navigationFile } = deps
  const pages = isPagePath(from) ? await findPagesNaming(deps, from, signal) : []
  signal.throwIfAborted()
  await overlay.move(from, to)
  const changed: string[] = []
  const own = await changeText(deps, to, (text) => rebaseLinks(text, from, to))
  for (const path of pages.filter((page) => page !== from)) {
    const rewrite = (text: string) =>
      rewriteLinks(text, (link) => (leadsTo(path, link, from) ? rewriteDestination(path, link.destination, to) : null))
    if (await changeText(deps, path, rewrite)) changed.push(path)
  }
  if (isPagePath(from) && isPagePath(to) && navigationFile !== null) {
    if (await changeText(deps, navigationFile, (text) => renameInNavigation(text, from, to)))
      changed.push(navigationFile)
  }
  return own ? [...changed, to] : changed
}

/** Rewrites the moved page's links to itself and its relative links. */
function rebaseLinks(text: string, from: string, to: string): string {
  return rewriteLinks(text, (link) => {
    const { destination } = link
    if (leadsTo(from, link, from) && isPagePath(from)) return rewriteDestination(to, destination, to)
    if (destination.startsWith('/')) return null
    const target = resolveDestination(from, destination)
    if (target === null) return null
    const rebased = rewriteDestination(to, destination, target)
    return rebased === destination ? null : rebased
  })
}

/**
 * Deletes a file, removes it from the navigation, and replaces Markdown links to it by their text.
 *
 * @returns The other changed files.
 */
export async function deleteWithLinks(deps: MoveDeps, path: string, signal: AbortSignal): Promise<string[]> {
  const { overlay, navigationFile } = deps
  const pages = isPagePath(path) ? await findPagesNaming(deps, path, signal) : []
  signal.throwIfAborted()
  overlay.delete(path)
  const changed: string[] = []
  for (const page of pages.filter((page) => page !== path)) {
    const isChanged = await changeText(deps, page, (text) => unlink(text, (link) => leadsTo(page, link, path)))
    if (isChanged) changed.push(page)
  }
  if (isPagePath(path) && navigationFile !== null) {
    if (await changeText(deps, navigationFile, (text) => removeFromNavigation(text, path))) changed.push(navigationFile)
  }
  return changed
}

/** Pages that contain the last part of a page's address, and so may link to it. */
async function findPagesNaming(
  { grep, overlay }: Pick<MoveDeps, 'grep' | 'overlay'>,
  page: string,
  signal: AbortSignal,
): Promise<string[]> {
  const name = routeOf(page).split('/').at(-1) ?? ''
  if (name === '') return overlay.paths().filter(isPagePath)
  const query = { pattern: name, isRegex: false, ignoreCase: false, pathPrefix: '', matchesMax: linesMax }
  const { matches } = await grep(query, signal)
  return [...new Set(matches.map(({ path }) => path))].filter(isPagePath)
}

/** @returns Whether the file was changed; a file that is not text stays as it is. */
export async function changeText(
  { overlay }: Pick<MoveDeps, 'overlay'>,
  path: string,
  change: (text: string) => string,
): Promise<boolean> {
  const before = decodeText(await overlay.read(path))
  if (before === null) return false
  const after = change(before)
  if (after === before) return false
  await overlay.write(path, new TextEncoder().encode(after))
  return true
}
