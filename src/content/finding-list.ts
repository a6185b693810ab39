import type { Finding } from './site-page.ts'

/** More findings than this help nobody; the last one says that some were left out. */
const findingsMax = 10_000

/**
 * Collects findings and forgets repetitions: a snippet that is used on a hundred pages has its fault once.
 */
export class FindingList {
  readonly #seen = new Set<string>()
  readonly #findings: Finding[] = []

  add(finding: Finding): void {
    const key = JSON.stringify([finding.file, finding.line, finding.rule, finding.message])
    if (this.#seen.has(key) || this.#findings.length > findingsMax) return
    if (this.#findings.length === findingsMax) {
      const message = `There are more than ${findingsMax} findings; the rest are not listed. Mend these first.`
      this.#findings.push({ file: finding.file, line: null, rule: 'findings-truncated', message })
      return
    }
    this.#seen.add(key)
    this.#findings.push(finding)
  }

  /** In the order in which they were added. */
  list(): Finding[] {
    return [...this.#findings]
  }
}
