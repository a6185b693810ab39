import { listPageAnchors } from '../checks/page-facts.ts'
import type { SiteOutline } from '../checks/site-outline.ts'
import type { SiteState } from '../checks/site-state.ts'
import { anchorKey } from '../links/anchor-key.ts'
import { listUses } from './follow-move.ts'

/** Splices by file. */
interface AnchorOutcome {
  files: Map<string, string>
  notes: string[]
  refusal: null
}

const usesNamedMax = 10

/**
 * Follows headings that were renamed: links to a section lead to its new anchor where one section took the place of
 * another, and are named in a note where it is not clear.
 */
export async function followAnchors(
  before: SiteState,
  after: SiteState,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<AnchorOutcome> {
  const outcome: AnchorOutcome = { files: new Map(), notes: [], refusal: null }
  for (const path of paths) {
    const [old, now] = [await listAnchors(before.outline, path), await listAnchors(after.outline, path)]
    const lost = withoutAnchors(old, now)
    const added = withoutAnchors(now, old)
    if (lost.length === 0) continue
    const uses = await listUses(after.outline, path, signal)
    for (const [index, anchor] of lost.entries()) {
      const of = uses.filter(({ url }) => anchorKey(url.split('#')[1] ?? '') === anchorKey(anchor))
      if (of.length === 0) continue
      const heir = lost.length === added.length ? added[index] : undefined
      if (heir === undefined) {
        const named = of.slice(0, usesNamedMax).map(({ file, line }) => `${file} line ${line}`)
        outcome.notes.push(`The section #${anchor} is gone from ${path}, and links lead to it: ${named.join(', ')}.`)
      } else await rename(after, outcome, { uses: of, anchor, heir })
    }
  }
  return outcome
}

async function listAnchors(outline: SiteOutline, path: string): Promise<string[]> {
  const page = await outline.page(path)
  return page === null ? [] : listPageAnchors(page)
}

function withoutAnchors(anchors: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(anchorKey))
  return anchors.filter((anchor) => !known.has(anchorKey(anchor)))
}

interface Renaming {
  uses: readonly { file: string; line: number; url: string }[]
  anchor: string
  heir: string
}

async function rename({ outline }: SiteState, outcome: AnchorOutcome, { uses, anchor, heir }: Renaming): Promise<void> {
  for (const file of new Set(uses.map((use) => use.file))) {
    const text = outcome.files.get(file) ?? new TextDecoder().decode(await outline.tree.read(file))
    const lines = text.split('\n')
    for (const { line, url } of uses.filter((use) => use.file === file)) {
      lines[line - 1] = lines[line - 1]?.replace(url, () => `${url.split('#')[0]}#${heir}`) ?? ''
    }
    outcome.files.set(file, lines.join('\n'))
  }
  outcome.notes.push(`Links to the section #${anchor} now lead to #${heir}.`)
}
