import type { SiteOutline } from '../checks/site-outline.ts'
import { isPageFile } from '../trees/source-path.ts'
import { LinkTargets, rewriteLink } from './link-targets.ts'
import { findPageLinks, type PageLink } from '../links/page-links.ts'

/** A site on both sides of a change. */
export interface BothOutlines {
  before: SiteOutline
  after: SiteOutline
}

export interface FollowedLinks {
  /** Path → text of the pages that changed. */
  files: Map<string, string>
  /** Links that could not be followed. */
  left: LinkUse[]
}

export interface LinkUse {
  file: string
  /** From 1. */
  line: number
  url: string
}

/** A line is `file:line url` in sentences. */
export const describeUse = ({ file, line, url }: LinkUse) => `${file} line ${line} (${url})`

/**
 * Rewrites the links of all pages and snippets to a file that has moved, and those of the file itself.
 *
 * @param move Paths before and after. With `isReplaced`, an existing page takes the place of the file: its own links stay,
 *   and links to it lose their anchors.
 */
export async function followMove(
  { before, after }: BothOutlines,
  { from, to, isReplaced = false }: { from: string; to: string; isReplaced?: boolean },
  signal: AbortSignal,
): Promise<FollowedLinks> {
  const targets = { before: new LinkTargets(before), after: new LinkTargets(after) }
  const result: FollowedLinks = { files: new Map(), left: [] }
  for (const fileNow of after.tree.paths) {
    signal.throwIfAborted()
    const text = await readPage(after, fileNow)
    const file = fileNow === to && !isReplaced ? from : fileNow
    if (text === null || (file !== from && !mentions(text, namesOf(targets.before, from)))) continue
    const rewritten = await mapLinks(text, async (link) => {
      const target = await targets.before.find(file, link.destination)
      if (target === null || (target !== from && file !== from)) return null
      const moved = { file, fileNow, destination: link.destination, target, targetNow: target === from ? to : target }
      const destination = await rewriteLink(targets, moved)
      const isLost = destination === null && (await targets.after.find(fileNow, link.destination)) !== moved.targetNow
      if (isLost) result.left.push({ file: fileNow, line: lineAt(text, link.start), url: link.destination })
      return destination === null
        ? null
        : { start: link.start, end: link.end, text: destination + (isReplaced ? '' : link.suffix) }
    })
    if (rewritten !== text) result.files.set(fileNow, rewritten)
  }
  return result
}

/** The links of other pages and snippets that lead to a file. */
export async function listUses(outline: SiteOutline, target: string, signal: AbortSignal): Promise<LinkUse[]> {
  const targets = new LinkTargets(outline)
  const uses: LinkUse[] = []
  for (const file of outline.tree.paths) {
    signal.throwIfAborted()
    const text = file === target ? null : await readPage(outline, file)
    if (text === null || !mentions(text, namesOf(targets, target))) continue
    for (const { start, destination, suffix } of findPageLinks(text)) {
      if ((await targets.find(file, destination)) !== target) continue
      uses.push({ file, line: lineAt(text, start), url: destination + suffix })
    }
  }
  return uses
}

/** Replaces the links to a file that is gone by their words, and lists those that are more than words. */
export async function unlinkFile(
  { before, after }: BothOutlines,
  target: string,
  signal: AbortSignal,
): Promise<FollowedLinks> {
  const targets = new LinkTargets(before)
  const result: FollowedLinks = { files: new Map(), left: [] }
  for (const file of after.tree.paths) {
    signal.throwIfAborted()
    const text = await readPage(after, file)
    if (text === null || !mentions(text, namesOf(targets, target))) continue
    const rewritten = await mapLinks(text, async (link) => {
      if ((await targets.find(file, link.destination)) !== target) return null
      if (link.whole !== null) return link.whole
      result.left.push({ file, line: lineAt(text, link.start), url: link.destination + link.suffix })
      return null
    })
    if (rewritten !== text) result.files.set(file, rewritten)
  }
  return result
}

interface Replacement {
  start: number
  end: number
  text: string
}

async function mapLinks(text: string, replace: (link: PageLink) => Promise<Replacement | null>): Promise<string> {
  let result = ''
  let from = 0
  for (const link of findPageLinks(text)) {
    const replacement = await replace(link)
    if (replacement === null || replacement.start < from) continue
    result += text.slice(from, replacement.start) + replacement.text
    from = replacement.end
  }
  return result + text.slice(from)
}

/** The words by one of which every link to a file names it. */
function namesOf(targets: LinkTargets, file: string): string[] {
  const stem = file.replace(/\.mdx?$/i, '').replace(/(?:^|\/)(?:index|README)$/, '')
  const names = [stem, targets.addressOf(file) ?? ''].map((path) => path.split('/').at(-1) ?? '')
  return [...new Set(names)]
}

/** Links to the start page name nothing. */
function mentions(text: string, names: readonly string[]): boolean {
  return names.some((name) => name === '' || text.includes(name) || text.includes(encodeURI(name)))
}

async function readPage({ tree }: SiteOutline, file: string): Promise<string | null> {
  if (!isPageFile(file)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await tree.read(file))
  } catch {
    return null
  }
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length
