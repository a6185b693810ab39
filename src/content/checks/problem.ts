import { createHash } from 'node:crypto'
import { type ChangeRule, severityOf, type SiteRule } from '../finding-rules.ts'
import { listAdded } from './list-added.ts'

/** A fault that a change introduces. */
export interface Problem {
  /** Kebab-case, stable: `link-broken`, `page-unparsable`. */
  rule: SiteRule | ChangeRule
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

/** A fault that is as severe as its rule. */
export function makeFault(fault: Omit<Fault, 'severity'>): Fault {
  return { ...fault, severity: severityOf(fault.rule) }
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
  const known = before.map((fault) => fingerprintOf(fault, fault.path))
  const found = after.map((fault) => ({
    fault,
    fingerprint: fingerprintOf(fault, renamed.get(fault.path) ?? fault.path),
  }))
  return listAdded(known, found, ({ fingerprint }) => fingerprint).map(({ fault, fingerprint }) => {
    const { detail: _detail, ...shown } = fault
    return { ...shown, fingerprint }
  })
}

function fingerprintOf({ rule, detail }: Fault, path: string): string {
  const text = JSON.stringify([rule, path, detail.replace(/\s+/g, ' ').trim()])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
