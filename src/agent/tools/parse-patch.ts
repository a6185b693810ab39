import { AppError } from '../../contract/app-error.ts'

/** A change of one file in a patch. */
export type FilePatch =
  | { kind: 'add'; path: string; content: string }
  | { kind: 'delete'; path: string }
  | { kind: 'update'; path: string; to: string | null; hunks: PatchHunk[] }

/** Lines that take the place of others. */
export interface PatchHunk {
  before: string[]
  after: string[]
  /** A line that the hunk is near, from 1; null if the patch has no line numbers. */
  near: number | null
  /** A line above the hunk, by which it is found; empty if there is none. */
  heading: string
}

const filesMax = 100
const hunksMax = 1_000

export function isPatch(text: string): boolean {
  return /^\s*\*\*\* Begin Patch/.test(text) || (/^--- \S/m.test(text) && /^\+\+\+ \S/m.test(text) && /^@@/m.test(text))
}

/**
 * Reads a patch: a unified diff, or the form between `*** Begin Patch` and `*** End Patch` without line numbers.
 *
 * @throws {AppError} that names the first line that does not fit.
 */
export function parsePatch(text: string): FilePatch[] {
  const bare = text.replaceAll('\r\n', '\n').replace(/^\s*```\w*\n|\n```\s*$/g, '')
  const files = /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:)/m.test(bare)
    ? parseEnvelope(bare)
    : parseDiff(bare)
  const hunks = files.reduce((sum, file) => sum + (file.kind === 'update' ? file.hunks.length : 0), 0)
  if (files.length === 0)
    throw refuse('The patch names no file. Write a unified diff with "--- a/path" and "+++ b/path" lines.')
  if (files.length > filesMax || hunks > hunksMax)
    throw refuse(`The patch is too large: at most ${filesMax} files. Split it.`)
  return files
}

function parseEnvelope(text: string): FilePatch[] {
  const files: FilePatch[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [, verb, path = ''] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line) ?? []
    const last = files.at(-1)
    const moved = /^\*\*\* Move to: (.+)$/.exec(line)?.[1]
    if (verb === 'Add') files.push({ kind: 'add', path: path.trim(), content: '' })
    else if (verb === 'Delete') files.push({ kind: 'delete', path: path.trim() })
    else if (verb === 'Update') files.push({ kind: 'update', path: path.trim(), to: null, hunks: [] })
    else if (moved !== undefined && last?.kind === 'update') last.to = moved.trim()
    else if (/^\*\*\* (?:Begin Patch|End Patch|End of File)/.test(line) || last === undefined) continue
    else if (last.kind === 'add' && line.startsWith('+')) last.content += `${line.slice(1)}\n`
    else if (last.kind === 'update') addLine(last.hunks, line, index)
    else if (line.trim() !== '')
      throw refuse(`Line ${index + 1} of the patch does not fit: ${JSON.stringify(line.slice(0, 80))}.`)
  }
  return files.map(dropEmptyHunks)
}

function parseDiff(text: string): FilePatch[] {
  const files: FilePatch[] = []
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? ''
    const last = files.at(-1)
    if (line.startsWith('--- ') && next.startsWith('+++ '))
      files.push(startFile(readDiffPath(line), readDiffPath(next)))
    else if (line.startsWith('+++ ') && lines[index - 1]?.startsWith('--- ') === true) continue
    else if (/^(?:diff |index |new file|deleted file|old mode|new mode|similarity |rename |\\ No newline)/.test(line))
      continue
    else if (last?.kind === 'add' && line.startsWith('+')) last.content += `${line.slice(1)}\n`
    else if (last?.kind === 'update') addLine(last.hunks, line, index)
  }
  return files.map(dropEmptyHunks)
}

/** `/dev/null` stands for a file that is not there. */
function startFile(before: string | null, after: string | null): FilePatch {
  if (before === null && after !== null) return { kind: 'add', path: after, content: '' }
  if (before !== null && after === null) return { kind: 'delete', path: before }
  return { kind: 'update', path: before ?? '', to: before === after ? null : after, hunks: [] }
}

function readDiffPath(line: string): string | null {
  const path = line.slice(4).replace(/\t.*$/, '').trim()
  return path === '/dev/null' ? null : path.replace(/^[ab]\//, '')
}

function addLine(hunks: PatchHunk[], line: string, index: number): void {
  const [header, numbers, rest = ''] = /^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@)?(.*)$/.exec(line) ?? []
  if (header !== undefined) {
    const heading = rest.replace(/@@\s*$/, '').trim()
    hunks.push({ before: [], after: [], near: numbers === undefined ? null : Number(numbers), heading })
    return
  }
  if (hunks.length === 0) {
    if (line.trim() === '') return
    hunks.push({ before: [], after: [], near: null, heading: '' })
  }
  const hunk = hunks.at(-1)
  const text = line.slice(1)
  // Models leave out the space before empty lines.
  const isContext = line === '' || line.startsWith(' ')
  if (isContext || line.startsWith('-')) hunk?.before.push(text)
  if (isContext || line.startsWith('+')) hunk?.after.push(text)
  if (!isContext && !/^[-+\\]/.test(line)) {
    throw refuse(
      `Line ${index + 1} of the patch begins with none of "+", "-", "@@" and a space: ${JSON.stringify(line.slice(0, 80))}.`,
    )
  }
}

/** The line feed at the end of a patch is no empty line of its last hunk. */
function dropEmptyHunks(file: FilePatch): FilePatch {
  if (file.kind !== 'update') return file
  for (const { before, after } of file.hunks) {
    while (before.at(-1) === '' && after.at(-1) === '') {
      before.pop()
      after.pop()
    }
  }
  return { ...file, hunks: file.hunks.filter(({ before, after }) => before.length + after.length > 0) }
}

function refuse(reason: string): AppError {
  return new AppError('invalid_request', `${reason} Nothing was changed.`)
}
