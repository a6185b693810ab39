import { deletionConsent } from '../../contract/agent-job.ts'
import { type Fault, makeFault } from '../checks/problem.ts'
import type { SiteOutline } from '../checks/site-outline.ts'
import { matchPathPatterns } from '../links/path-patterns.ts'
import type { RedirectPlace } from '../navigation/site-navigation.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { readNavigation } from './entry-change.ts'

/** Finds new redirects that take readers away from pages which are still there, or from the start of the site. */
export async function checkRedirects(outline: SiteOutline, after: FileTree): Promise<Fault[]> {
  const now = await readRedirects(outline, after)
  if (now === null) return []
  const old = new Set((await readRedirects(outline, outline.tree))?.sources)
  const added = now.sources.filter((source) => !old.has(source))
  if (added.length === 0) return []
  const kept = new Set(after.paths)
  const addresses = [...outline.routes].filter(([, file]) => kept.has(file))
  const written = new Set(addresses.map(([address, file]) => now.sourceOf({ address, file })))
  return added.flatMap((source) => {
    const covers = matchPathPatterns([source])
    const isAway = written.has(source) || covers('/') || addresses.some(([address]) => covers(address))
    return isAway ? [refuseRedirect(now.container.file, source)] : []
  })
}

async function readRedirects(outline: SiteOutline, tree: FileTree): Promise<RedirectPlace | null> {
  const { redirects } = (await readNavigation(outline, tree)) ?? {}
  return redirects === undefined || typeof redirects === 'string' ? null : redirects
}

/** @param path Of the file that leads readers away. */
export function refuseRedirect(path: string, source: string): Fault {
  const message = `The redirect from ${source} would take readers away from a page that is still there. Leave it out. ${deletionConsent}`
  return makeFault({ rule: 'page-redirected', path, line: null, message, detail: source })
}
