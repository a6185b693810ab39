import { deletionConsent } from '../../contract/agent-job.ts'
import type { Fault } from '../checks/problem.ts'
import type { SiteOutline } from '../checks/site-outline.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { isPageFile } from '../trees/source-path.ts'
import { findUses, type FileUse } from './find-uses.ts'

/** Most files that a job deletes without an owner's consent. */
const deletionsMax = 5
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
 * Finds what a change removes that only an owner may remove: many files, and files that others still use after the change.
 * A page that loses its text counts as deleted. The links of moved pages are not judged here, because redirects serve them.
 */
export async function checkRemovals(input: RemovalsInput, signal: AbortSignal): Promise<Fault[]> {
  const { outline, after, moved } = input
  const emptied = await listEmptied(input)
  const kept = new Set(after.paths)
  const deleted = [...new Set([...input.deleted, ...emptied, ...input.earlier.filter((path) => !kept.has(path))])]
  if (deleted.length > deletionsMax) return [refuseMany(deleted)]
  const routed = new Set(outline.routes.values())
  const removed = [...input.deleted, ...moved.filter((path) => !routed.has(path))]
  if (removed.length === 0) return []
  const uses = await findUses({ outline, after, removed }, signal)
  return [...Map.groupBy(uses, ({ target }) => target)].map(([path, found]) => refuseUsed(path, found))
}

async function listEmptied({ outline, after, modified }: RemovalsInput): Promise<string[]> {
  const emptied: string[] = []
  for (const path of modified.filter(isPageFile)) {
    const [before, now] = [await outline.tree.read(path), await after.read(path)]
    if (countWords(before) === 0) continue
    if (countWords(now) <= countWords(before) * keptShareMin) emptied.push(path)
  }
  return emptied
}

/** Of the words that a page had; what keeps less has lost its text, whatever stands in its place. */
const keptShareMin = 0.05

/** Without frontmatter and comments. */
function countWords(bytes: Uint8Array): number {
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n)*?---[ \t]*(?:\r?\n|$)/, '')
    .replace(/<!--[\s\S]*?-->|\{\/\*[\s\S]*?\*\/\}/g, '')
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}

function refuseMany(paths: readonly string[]): Fault {
  const message = `The job would delete ${paths.length} files, and without an owner's consent it may delete ${deletionsMax} at most. Keep the rest, and name them as not done. ${deletionConsent}`
  return { rule: 'deletions-too-many', path: paths[0] ?? '', line: null, message, severity: 'block', detail: '' }
}

function refuseUsed(path: string, uses: readonly FileUse[]): Fault {
  const named = uses.slice(0, usesNamedMax).map(({ file, line }) => `${file} line ${line}`)
  const more = uses.length - named.length
  const list = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const message = `${path} is still used: ${list}. Change what uses it first, or keep the file. ${deletionConsent}`
  return { rule: 'file-in-use', path, line: null, message, severity: 'block', detail: '' }
}
