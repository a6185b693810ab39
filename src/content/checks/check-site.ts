import type { FileTree } from '../trees/file-tree.ts'
import { FindingList } from '../finding-list.ts'
import { readFrontmatterFields, splitFrontmatter, toFrontmatter } from '../markdown/read-frontmatter.ts'
import { cleanText } from '../trees/clean-text.ts'
import type { Finding } from '../site-page.ts'
import { createIgnoreFilter } from '../trees/ignored-paths.ts'
import { isPageFile } from '../trees/source-path.ts'
import { findAffectedPages, type Affected } from './affected-pages.ts'
import type { ChangedFile } from './changed-files.ts'
import { checkLinks, checkRedirects, type LinkTarget, resolveTarget } from './check-links.ts'
import { type Fault, makeFault } from './problem.ts'
import type { OutlinePage, SiteOutline } from './site-outline.ts'
import { readStateAfter, readStateBefore, type SiteState } from './site-state.ts'

export interface SiteChange {
  before: FileTree
  after: FileTree
  files: readonly ChangedFile[]
  /** New path → old path. */
  renamed: ReadonlyMap<string, string>
}

/** Finds the faults of pages and configuration on both sides of a change, as far as the change affects them. */
export async function checkSite(change: SiteChange, signal: AbortSignal): Promise<{ before: Fault[]; after: Fault[] }> {
  const { files } = change
  const changed = new Set(files.map(({ path }) => path))
  const before = await readStateBefore(change.before, signal)
  const after = await readStateAfter(before, { after: change.after, changed }, signal)
  const affected = await findAffectedPages({ before, after, files }, signal)
  return {
    before: await checkSide({ state: before, other: after, files, affected, renamed: invert(change.renamed) }, signal),
    after: await checkSide({ state: after, other: before, files, affected, renamed: change.renamed }, signal),
  }
}

interface Side {
  state: SiteState
  other: SiteState
  files: readonly ChangedFile[]
  affected: Affected
  /** Path on this side → path on the other side. */
  renamed: ReadonlyMap<string, string>
}

async function checkSide(side: Side, signal: AbortSignal): Promise<Fault[]> {
  const { state, files, affected } = side
  const changedPages = files.filter(({ path }) => isPageFile(path)).map(({ path }) => path)
  const own = new Set(changedPages)
  const isOfChangedPage = ({ file, rule }: Finding) => own.has(file) && rule.startsWith('frontmatter-')
  const faults = state.outline.findings.filter((finding) => !isOfChangedPage(finding)).map(toFault)
  faults.push(...checkRedirects(state))
  for (const file of changedPages) {
    signal.throwIfAborted()
    faults.push(...(await checkPage(side, file)))
  }
  for (const file of affected.linking) {
    signal.throwIfAborted()
    const page = await state.outline.page(file)
    if (page === null) continue
    const isAffected = followBoth(affected, await side.other.outline.page(file))
    faults.push(...(await checkLinks(state, page, isAffected)))
  }
  return faults
}

/** Checks the syntax, frontmatter, snippets and links of a changed page. */
async function checkPage({ state, other, affected, renamed }: Side, file: string): Promise<Fault[]> {
  const page = await state.outline.page(file)
  if (page === null) return []
  const { fault, findings } = await state.facts(page)
  const faults: Fault[] = [...(await checkFrontmatter(state.outline.tree, file)), ...checkPlace(state.outline, page)]
  if (fault !== null) {
    const message = `The page cannot be parsed: ${fault.message.replace(/[.\s]*$/, '.')} Fix it; otherwise the site cannot show it.`
    faults.push(makeFault({ rule: 'page-unparsable', path: file, line: fault.line, message, detail: fault.message }))
    return faults
  }
  if (page.isRouted) faults.push(...findings.filter(({ rule }) => rule !== 'page-unparsable').map(toFault))
  const twin = renamed.has(file) ? null : await other.outline.page(file)
  const known = new Set(twin === null ? [] : (await other.facts(twin)).links.map(({ url }) => url))
  // Skip links that exist on both sides unless their target changed.
  const isAffected = followBoth(affected, twin)
  const wants = (url: string, target: LinkTarget | 'outside') => !known.has(url) || isAffected(url, target)
  return [...faults, ...(await checkLinks(state, page, wants))]
}

const isBesideSites = createIgnoreFilter('', true)

/** Only a warning: a page outside the navigation may be intentional. */
function checkPlace({ format, navigated }: SiteOutline, { file, path, isRouted }: OutlinePage): Fault[] {
  const needsPlace = format.navigationFile !== undefined && isRouted && !isBesideSites(file)
  if (!needsPlace || navigated.has(file)) return []
  const message = `The page ${path} is not in the navigation. Add it, unless it is meant to be hidden.`
  return [makeFault({ rule: 'page-not-in-navigation', path: file, line: null, message, detail: '' })]
}

/** Whether a link points, or pointed on the other side, to something the change affects. */
function followBoth({ isAffected }: Affected, other: OutlinePage | null) {
  return (url: string, target: LinkTarget | 'outside'): boolean => {
    const twin = other === null ? null : resolveTarget(other, url)
    return isAffected(target) || (twin !== null && isAffected(twin))
  }
}

async function checkFrontmatter(tree: FileTree, file: string): Promise<Fault[]> {
  const text = cleanText(new TextDecoder().decode(await tree.read(file)))
  const { yaml } = splitFrontmatter(text)
  if (yaml === null) {
    if (!/^---[ \t]*\n[\w"'-]+[ \t]*:/.test(text)) return []
    const message = 'The frontmatter is not closed. Add a line "---" after it.'
    return [makeFault({ rule: 'frontmatter-invalid', path: file, line: 1, message, detail: '' })]
  }
  const findings = new FindingList()
  toFrontmatter(readFrontmatterFields(yaml, file, findings), { yaml, file, findings })
  const faults = findings.list().map(toFault)
  // Ignore the fields of invalid YAML.
  const broken = faults.filter(({ rule }) => rule === 'frontmatter-invalid')
  return broken.length > 0 ? broken : faults
}

/** Messages about the whole site contain counts, and another count must not make it a new fault. */
function toFault({ file, line, rule, message }: Finding): Fault {
  return makeFault({ rule, path: file, line, message, detail: file === '' ? '' : message })
}

function invert(renamed: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...renamed].map(([to, from]) => [from, to]))
}
