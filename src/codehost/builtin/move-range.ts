import { parsePatch } from '../../contract/parse-patch.ts'

export interface LineRange {
  /** Counted from 1, both included. */
  first: number
  last: number
}

/**
 * Where lines of a file are after a change of the file.
 *
 * @param patch Of the file, from its first `@@` on.
 * @returns Null if the change touches the lines, or adds some between them.
 */
export function moveRange(patch: string, { first, last }: LineRange): LineRange | null {
  let shift = 0
  for (const { lines } of parsePatch(patch)) {
    // Number of the line before which the next added line is inserted.
    let next = lines.find(({ before }) => before !== null)?.before ?? 1
    for (const { kind, before } of lines) {
      if (before !== null) next = before + 1
      if (kind === 'removed' && next - 1 <= last) {
        if (next - 1 >= first) return null
        shift--
      }
      if (kind === 'added' && next <= last) {
        if (next > first) return null
        shift++
      }
    }
  }
  return { first: first + shift, last: last + shift }
}
