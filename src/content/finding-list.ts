import { isGeneratedPath } from './links/generated-paths.ts'
import type { Finding } from './site-page.ts'

/** More findings help nobody. The last one says that the rest is omitted. */
const findingsMax = 10_000

/** Collects findings without duplicates: a snippet used on a hundred pages reports its fault once. */
export class FindingList {
  readonly #seen = new Set<string>()
  readonly #findings: Finding[] = []

  add(finding: Finding): void {
    const key = JSON.stringify([finding.file, finding.line, finding.rule, finding.message])
    if (this.#seen.has(key) || this.#findings.length > findingsMax) return
    if (this.#findings.length === findingsMax) {
      const message = `There are more than ${findingsMax} findings; the rest are omitted. Fix these first.`
      this.#findings.push({ file: finding.file, line: null, rule: 'findings-truncated', message })
      return
    }
    this.#seen.add(key)
    this.#findings.push(finding)
  }

  /** In insertion order. */
  list(): Finding[] {
    return [...this.#findings]
  }
}

/** Reports a navigation entry whose page is missing, unless sites generate it themselves. */
export function reportMissingPage(
  findings: FindingList,
  entry: { file: string; line?: number | null; holder: string; target: string; kind?: string },
): void {
  const { file, line = null, holder, target, kind = 'page' } = entry
  if (isGeneratedPath(target)) return
  const message = `${holder} refers to ${target}, but there is no such ${kind}. Add the file or remove the entry.`
  findings.add({ file, line, rule: 'navigation-page-missing', message })
}

/** Reports a folder of pages that the configuration places outside the source. */
export function reportOutside(findings: FindingList, file: string, folder: string): void {
  const message = `The folder ${folder} is outside the source of this site, so its pages are not read. Take the repository, or a folder that contains both, as the source.`
  findings.add({ file, line: null, rule: 'folder-outside', message })
}
