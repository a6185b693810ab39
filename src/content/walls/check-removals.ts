import { deletionConsent, deletionsMax } from '../../contract/agent-job.ts'
import { type Fault, makeFault } from '../checks/problem.ts'
import type { SiteOutline } from '../checks/site-outline.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { isPageFile } from '../trees/source-path.ts'
import { splitFrontmatter } from '../markdown/read-frontmatter.ts'
import { checkRedirects } from './check-redirects.ts'
import { findUses, type FileUse } from './find-uses.ts'

const usesNamedMax = 3

export interface RemovalsInput {
  /** The site before the change. */
  outline: SiteOutline
  after: FileTree
  /** Paths that no longer exist, without those of moved files. */
  deleted: readonly string[]
  /** Paths that the job deleted in earlier rounds. */
  earlier: readonly string[]
  /** Former paths of moved files. */
  moved: readonly string[]
  /** Paths whose text is different. */
  modified: readonly string[]
}

/**
 * Finds what a change removes that only an owner may remove: many files, the home page, and files that others still use
 * after the change.
 * A page that loses its text counts as deleted, and so does one that its fields withdraw. The links of moved pages are not judged here, because redirects serve them.
 */
export async function checkRemovals(input: RemovalsInput, signal: AbortSignal): Promise<Fault[]> {
  const { outline, after, moved } = input
  const isConfigured = input.modified.some((path) => !isPageFile(path))
  const redirected = isConfigured ? await checkRedirects(outline, after) : []
  const emptied = await listEmptied(input)
  const kept = new Set(after.paths)
  const gone = new Set([...input.deleted, ...emptied, ...input.earlier.filter((path) => !kept.has(path))])
  const deleted = [...gone]
  const routed = new Set(outline.routes.values())
  // Of a small site, five pages may be all.
  const isEmptied = routed.size > 1 && [...routed].every((path) => gone.has(path))
  if (deleted.length > deletionsMax || isEmptied) return [...redirected, refuseMany(deleted, isEmptied)]
  const home = outline.routes.get('/')
  if (home !== undefined && input.deleted.includes(home)) return [...redirected, refuseHome(home)]
  const removed = [...input.deleted, ...moved.filter((path) => !routed.has(path))]
  if (removed.length === 0) return redirected
  const uses = await findUses({ outline, after, removed }, signal)
  return [
    ...redirected,
    ...[...Map.groupBy(uses, ({ target }) => target)].map(([path, found]) => refuseUsed(path, found)),
  ]
}

async function listEmptied({ outline, after, modified }: RemovalsInput): Promise<string[]> {
  const emptied: string[] = []
  for (const path of modified.filter(isPageFile)) {
    const [before, now] = [await readPage(outline.tree, path), await readPage(after, path)]
    if (before.words === 0 || before.isWithdrawn) continue
    if (now.isWithdrawn || now.words <= before.words * keptShareMin) emptied.push(path)
  }
  return emptied
}

const decoder = new TextDecoder()

/** Of the words that a page had; what keeps less has lost its text, whatever stands in its place. */
const keptShareMin = 0.2

async function readPage(tree: FileTree, path: string): Promise<{ words: number; isWithdrawn: boolean }> {
  const text = decoder.decode(await tree.read(path)).replaceAll('\r\n', '\n')
  const { yaml, body } = splitFrontmatter(text)
  return { words: countWords(body), isWithdrawn: withdrawing.test(yaml ?? '') }
}

/** Without comments and definitions of links. */
function countWords(body: string): number {
  const shown = body.replace(/<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}|^ {0,3}\[[^\]\n]+\]:.*$/gm, '')
  return shown.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}

/** Fields by which formats leave a page out, or out of all lists and searches. */
const withdrawing =
  /^(?:(?:draft|unlisted|hidden|private):[ \t]*(?:true|yes|on)|(?:published|public):[ \t]*(?:false|no|off)|groups:.*)[ \t]*(?:#.*)?$/im

function refuseMany(paths: readonly string[], isEmptied: boolean): Fault {
  const most = isEmptied ? 'not every page of the site' : `${deletionsMax} at most`
  const message = `The job would delete ${paths.length} files, and without an owner's consent it may delete ${most}. Keep the rest, and name them as not done. ${deletionConsent}`
  return makeFault({ rule: 'deletions-too-many', path: paths[0] ?? '', line: null, message, detail: '' })
}

function refuseHome(path: string): Fault {
  const message = `${path} is the home page of the site, which a job may not delete without an owner's consent. Edit it instead. ${deletionConsent}`
  return makeFault({ rule: 'deletions-too-many', path, line: null, message, detail: '' })
}

function refuseUsed(path: string, uses: readonly FileUse[]): Fault {
  const named = uses.slice(0, usesNamedMax).map(({ file, line }) => `${file} line ${line}`)
  const more = uses.length - named.length
  const list = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const message = `${path} is still used: ${list}. Change what uses it first, or keep the file. ${deletionConsent}`
  return makeFault({ rule: 'file-in-use', path, line: null, message, detail: '' })
}
