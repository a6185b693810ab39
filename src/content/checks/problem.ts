import { createHash } from 'node:crypto'

/** A fault that a change introduces. */
export interface Problem {
  /** Kebab-case, stable: `link-broken`, `page-unparsable`. */
  rule: string
  /** The file with the fault, not necessarily one that the change touches. */
  path: string
  /** 1-based, in the file after the change; null if the fault has no line. */
  line: number | null
  /** Tells the author what to do. Contains no secrets. */
  message: string
  /** `block`: do not merge, because the site would break or mislead readers. */
  severity: 'block' | 'warn'
  /** Identifies the fault regardless of its line. */
  fingerprint: string
}

/** A fault of a file, new or not. */
export interface Fault extends Omit<Problem, 'fingerprint'> {
  /** Distinguishes faults of the same rule and file: the text of the line, the URL of a link. */
  detail: string
}

export interface FaultsToCompare {
  before: readonly Fault[]
  after: readonly Fault[]
  /** New path → old path of moved files. */
  renamed: ReadonlyMap<string, string>
}

/**
 * Returns the faults that occur in `after` more often than in `before`.
 *
 * Compares fingerprints rather than lines, because insertions shift lines. Pure.
 */
export function findAddedFaults({ before, after, renamed }: FaultsToCompare): Problem[] {
  const known = new Map<string, number>()
  for (const fault of before) {
    const fingerprint = fingerprintOf(fault, fault.path)
    known.set(fingerprint, (known.get(fingerprint) ?? 0) + 1)
  }
  const problems: Problem[] = []
  for (const { detail, ...fault } of after) {
    const fingerprint = fingerprintOf({ ...fault, detail }, renamed.get(fault.path) ?? fault.path)
    const count = known.get(fingerprint) ?? 0
    if (count > 0) known.set(fingerprint, count - 1)
    else problems.push({ ...fault, fingerprint })
  }
  return problems
}

function fingerprintOf({ rule, detail }: Fault, path: string): string {
  const text = JSON.stringify([rule, path, detail.replace(/\s+/g, ' ').trim()])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
