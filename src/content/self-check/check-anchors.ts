import type { SiteCheck } from '../../contract/site-check.ts'
import type { FindingList } from '../finding-list.ts'
import type { Remember } from '../flatten/source-library.ts'
import { anchorKey } from '../links/anchor-key.ts'
import { collectAnchorKeys } from '../links/page-anchors.ts'
import { pickMostSimilar } from '../links/nearest-address.ts'
import type { SiteLinks } from '../links/site-links.ts'
import { listAnchors } from '../markdown/heading-anchors.ts'
import type { SitePage } from '../site-page.ts'
import type { RecordedSource } from './source-record.ts'
import { containsGeneratedApi } from './source-text.ts'

const reportedMax = 50
/** Every page has these, or the browser makes them: its start, footnotes, text fragments, routes of scripts. */
const alwaysThere = /^(?:$|_?top$|fn(?:ref)?\b|:|\/|!)/

export interface AnchorCheckInput {
  pages: readonly SitePage[]
  sources: ReadonlyMap<string, RecordedSource>
  links: SiteLinks
  findings: FindingList
  remember: Remember
  listLinks: (markdown: string) => readonly string[]
}

interface Section {
  page: SitePage
  keys: ReadonlySet<string>
}

/** Reports links to sections that their pages do not have. */
export function checkAnchors(input: AnchorCheckInput): SiteCheck['anchors'] {
  const { pages, sources, links, findings, remember, listLinks } = input
  const targets = new Map<string, Section | null>()
  const byFile = new Map(pages.map((page) => [page.file, page]))
  const findTarget = (path: string): Section | null => {
    const file = links.routes.get(path) ?? ''
    const known = targets.get(file)
    if (known !== undefined) return known
    const [page, source] = [byFile.get(file), sources.get(file)]
    const target = page === undefined || source === undefined ? null : readSections(page, source, remember)
    targets.set(file, target)
    return target
  }
  let total = 0
  const dead: (() => void)[] = []
  for (const page of pages) {
    for (const url of listLinks(page.markdown)) {
      const [, path = '', anchor = ''] = /^([^?#]*)[^#]*#(.*)$/s.exec(url) ?? []
      const target = alwaysThere.test(anchor) ? null : findTarget(path)
      if (target === null || anchorKey(anchor) === '') continue
      total++
      // Components derive dotted anchors from nested properties.
      const isThere =
        target.keys.has(anchorKey(anchor)) || anchor.split('.').every((part) => target.keys.has(anchorKey(part)))
      if (!isThere) dead.push(() => report(findings, page, anchor, target, sources))
    }
  }
  for (const tell of dead.slice(0, reportedMax)) tell()
  const rest = dead.length - reportedMax
  const message = `${rest} more links lead to sections that do not exist. Correct those listed first; the next sync lists others.`
  if (rest > 0) findings.add({ file: '', line: null, rule: 'anchor-dead', message })
  return { total, working: total - dead.length }
}

/** Null if the sections of a page are not all in its source. */
function readSections(page: SitePage, { body }: RecordedSource, remember: Remember): Section | null {
  if (page.apiFile !== undefined) return null
  const keys = remember('anchor-keys', [page.markdown, body], () =>
    containsGeneratedApi(body) ? new Set<string>() : collectAnchorKeys(page.markdown, body),
  )
  return keys.size === 0 ? null : { page, keys }
}

function report(
  findings: FindingList,
  page: SitePage,
  anchor: string,
  target: Section,
  sources: ReadonlyMap<string, RecordedSource>,
): void {
  const nearest = pickMostSimilar(anchor, listAnchors(target.page.markdown))
  const advice = nearest === null ? 'Correct or remove the part after "#".' : `The nearest is #${nearest}.`
  const message = `The link to ${target.page.path}#${anchor.slice(0, 200)} leads to a section that does not exist. ${advice}`
  const source = sources.get(page.file)
  const index = source?.body.split('\n').findIndex((line) => line.includes(`#${anchor}`)) ?? -1
  const line = source === undefined || index === -1 ? null : source.bodyLine + index + 1
  findings.add({ file: page.file, line, rule: 'anchor-dead', message })
}
