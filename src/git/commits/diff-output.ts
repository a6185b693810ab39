import type { FileDiff } from './diff-commits.ts'

const kinds: Readonly<Record<string, FileDiff['kind']>> = { A: 'added', C: 'added', D: 'deleted', R: 'renamed' }

/** By the mode that git gives them. */
const specialModes: Readonly<Record<string, NonNullable<FileDiff['becomes']>>> = {
  '100755': 'executable',
  '120000': 'link',
  '160000': 'submodule',
}

/** A changed file without its lines. */
export interface ChangedFile extends Omit<FileDiff, 'patch'> {
  /** Whether it became a link, a submodule or a file: git writes the patch of that as a deletion and an addition. */
  isTypeChange: boolean
}

/**
 * Reads what `git diff-tree -z --raw --numstat` prints: the files in one form and then, in the same order, in the other.
 *
 * Raw: `:<mode> <mode> <id> <id> <status>`, a zero byte, the path, a zero byte, and for renames the new path likewise.
 * Numbers: `<additions>\t<deletions>\t<path>` and a zero byte; for renames the path is empty and both follow.
 */
export function parseChangedFiles(output: Buffer): ChangedFile[] {
  const fields = output.toString('utf8').split('\0')
  const files: Omit<ChangedFile, keyof LineCounts>[] = []
  let index = 0
  while (fields[index]?.startsWith(':') === true) {
    const status = fields[index]?.split(' ').at(-1)?.charAt(0) ?? 'M'
    const hasTwoPaths = status === 'R' || status === 'C'
    const path = fields[index + (hasTwoPaths ? 2 : 1)] ?? ''
    const previousPath = status === 'R' ? (fields[index + 1] ?? null) : null
    const kind = kinds[status] ?? 'modified'
    files.push({ path, previousPath, kind, isTypeChange: status === 'T', ...readMode(fields[index]) })
    index += hasTwoPaths ? 3 : 2
  }
  const counts = parseCounts(fields.slice(index))
  return files.map((file, position) => ({ ...file, ...(counts[position] ?? noLines) }))
}

/** @param head `:<mode before> <mode after> …` */
function readMode(head = ''): Pick<FileDiff, 'becomes'> {
  const [before = '', after = ''] = head.slice(1).split(' ')
  const becomes = before === after ? undefined : specialModes[after]
  return becomes === undefined ? {} : { becomes }
}

type LineCounts = Pick<FileDiff, 'additions' | 'deletions' | 'isBinary'>

const noLines: LineCounts = { additions: 0, deletions: 0, isBinary: false }

function parseCounts(fields: readonly string[]): LineCounts[] {
  const counts: LineCounts[] = []
  for (let index = 0; index < fields.length && fields[index] !== ''; index += 1) {
    const [additions = '', deletions = '', path = ''] = (fields[index] ?? '').split('\t')
    // Binary files have hyphens in place of numbers.
    const isBinary = additions === '-'
    counts.push({ additions: isBinary ? 0 : Number(additions), deletions: isBinary ? 0 : Number(deletions), isBinary })
    if (path === '') index += 2
  }
  return counts
}

/**
 * Splits a patch at its parts: one for each file, two where the type changes. Every line of content begins with a blank, `+`, `-`, `\` or `@`, so that no content can look
 * like the beginning of a file. Lines end where git ends them: the flag `m` would also end them at a carriage return or at
 * U+2028, behind which a file may hold anything.
 *
 * @returns The text of each part from its first `@@` on, null where it has none.
 */
function splitPatch(patch: string): (string | null)[] {
  const parts = patch.split(/(?<![^\n])diff --git /).slice(1)
  return parts.map((part) => {
    const start = part.indexOf('\n@@ ')
    return start === -1 ? null : part.slice(start + 1)
  })
}

/**
 * Gives each file its part of a patch.
 *
 * @param files All that changed, in the order of the patch.
 * @param isWhole False where the patch was cut: the part that the cut is in, and those after it, are missing.
 * @returns For each file its text from the first `@@` on, null where there is none.
 */
export function assignPatches(
  files: readonly Pick<ChangedFile, 'isTypeChange'>[],
  { patch, isWhole }: { patch: string; isWhole: boolean },
): (string | null)[] {
  const parts = isWhole ? splitPatch(patch) : splitPatch(patch).slice(0, -1)
  let next = 0
  return files.map(({ isTypeChange }) => {
    const own = parts.slice(next, next + (isTypeChange ? 2 : 1))
    next += isTypeChange ? 2 : 1
    if (isTypeChange && own.length < 2) return null
    return own.filter((part) => part !== null).join('') || null
  })
}
