import { createHash } from 'node:crypto'

/** Something that a change makes worse. */
export interface Problem {
  /** Kebab-case, stable: `link-broken`, `page-unparsable`. */
  rule: string
  /** The file that holds the fault; it may be one that the change does not touch. */
  path: string
  /** From 1, in the file as it is after the change; null where the fault has no line. */
  line: number | null
  /** A sentence that says what to do. Holds no secret. */
  message: string
  /** `block`: a site would break or a reader would be misled, so that it should not be merged so. */
  severity: 'block' | 'warn'
  /** The same fault has the same one wherever in the file it stands. */
  fingerprint: string
}

/** A fault of a file, whether or not it was there before. */
export interface Fault extends Omit<Problem, 'fingerprint'> {
  /** What makes it this fault and no other of its rule and file: the line's text, the address of a link. */
  detail: string
}

export interface FaultsToCompare {
  before: readonly Fault[]
  after: readonly Fault[]
  /** Path after the change → path before it, for files that were moved. */
  renamed: ReadonlyMap<string, string>
}

/**
 * The faults that a change adds: those of after without those of before, each as often as it occurs.
 *
 * Compared by fingerprint and not by line, because lines move when something is put in above them. Pure.
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
