import type { FileDiff } from './diff-commits.ts'

const kinds: Readonly<Record<string, FileDiff['kind']>> = { A: 'added', C: 'added', D: 'deleted', R: 'renamed' }

/** By the mode that git prints. */
const specialModes: Readonly<Record<string, NonNullable<FileDiff['becomes']>>> = {
  '100755': 'executable',
  '120000': 'link',
  '160000': 'submodule',
}

/** A changed file without its patch. */
export interface ChangedFile extends Omit<FileDiff, 'patch'> {
  /** Whether the file type changed (file, link, submodule): git writes such a patch as a deletion and an addition. */
  isTypeChange: boolean
}

/**
 * Parses the output of `git diff-tree -z --raw --numstat`: all files in raw form, then all in numstat form, in the same
 * order.
 *
 * Raw: `:<mode> <mode> <id> <id> <status>`, NUL, the path, NUL, and for renames also the new path and NUL. Numstat:
 * `<additions>\t<deletions>\t<path>` and NUL; for renames the path is empty and both paths follow. Numstat and the patch
 * leave files out that differ only in white space, if that is ignored, and so does the result.
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
    files.push({ path, previousPath, kind, isTypeChange: status === 'T', ...readHead(fields[index], kind) })
    index += hasTwoPaths ? 3 : 2
  }
  const counts = parseCounts(fields.slice(index))
  return files.flatMap((file) => {
    const lines = counts.get(file.path)
    return lines === undefined ? [] : [{ ...file, ...lines }]
  })
}

/** @param head `:<mode before> <mode after> <id before> <id after> …` */
function readHead(head = '', kind: FileDiff['kind']): Pick<FileDiff, 'becomes' | 'blob'> {
  const [before = '', after = '', idBefore = '', idAfter = ''] = head.slice(1).split(' ')
  const becomes = before === after ? undefined : specialModes[after]
  return { blob: kind === 'deleted' ? idBefore : idAfter, ...(becomes === undefined ? {} : { becomes }) }
}

type LineCounts = Pick<FileDiff, 'additions' | 'deletions' | 'isBinary'>

/** By path. */
function parseCounts(fields: readonly string[]): Map<string, LineCounts> {
  const counts = new Map<string, LineCounts>()
  for (let index = 0; index < fields.length && fields[index] !== ''; index += 1) {
    const [additions = '', deletions = '', path = ''] = (fields[index] ?? '').split('\t')
    // Binary files have hyphens instead of numbers.
    const isBinary = additions === '-'
    const lines = { additions: isBinary ? 0 : Number(additions), deletions: isBinary ? 0 : Number(deletions), isBinary }
    counts.set(path || (fields[index + 2] ?? ''), lines)
    if (path === '') index += 2
  }
  return counts
}

/**
 * Splits a patch into its parts: one per file, two if the type changes. Every line of content begins with a space, `+`,
 * `-`, `\` or `@`, so content cannot be mistaken for a file header. Only line feeds end lines: the flag `m` would also
 * match after a carriage return or U+2028, both of which may occur in content.
 *
 * @returns The text of each part from its first `@@` on, or null if it has none.
 */
function splitPatch(patch: string): (string | null)[] {
  const parts = patch.split(/(?<![^\n])diff --git /).slice(1)
  return parts.map((part) => {
    const start = part.indexOf('\n@@ ')
    return start === -1 ? null : part.slice(start + 1)
  })
}

/**
 * Assigns each file its part of a patch.
 *
 * @param files All changed files, in the order of the patch.
 * @param isWhole False if the patch was cut: the truncated part and all later ones are missing.
 * @returns The text of each file from the first `@@` on, or null if there is none.
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
