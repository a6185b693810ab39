import { AppError } from '../../contract/app-error.ts'
import { collectOutputStart } from '../collect-output-start.ts'
import { checkObjectId } from '../object-id.ts'
import { resolveObject } from '../resolve-commit.ts'

export interface GrepTreeInput {
  gitDirectory: string
  /** Full id of a commit or a tree. */
  revision: string
  /** One line, at most 1,000 characters. */
  pattern: string
  /** Whether the pattern is a POSIX extended regular expression; literal by default. */
  isRegex?: boolean
  ignoreCase?: boolean
  /** The folder of the revision to use as root, as for an overlay; the whole tree by default. */
  subdirectory?: string
  /** Folder or file to search below, relative to that root; everything by default. Taken literally. */
  pathPrefix?: string
  /** Most lines returned, default 200. */
  matchesMax?: number
  /** Default 15 seconds: a regular expression may run forever. */
  timeoutMs?: number
}

export interface GrepMatch {
  /** Relative to the root set by `subdirectory`. */
  path: string
  /** From 1. */
  line: number
  /** Without the line end, at most 500 characters. */
  text: string
}

export interface GrepOutcome {
  /** Ordered by path and line. */
  matches: GrepMatch[]
  /** Whether these are all matches. */
  isWhole: boolean
}

const patternCharsMax = 1000
const lineCharsMax = 500
const outputBytesMax = 4 * 1024 * 1024
const timeoutMsDefault = 15_000

/**
 * Searches the text files of a commit or a tree. Skips binary files, and follows no links or submodules.
 *
 * @throws {AppError} `invalid_request` for a pattern that is empty, too long, multi-line or an invalid regular
 *   expression, and if the search takes too long.
 */
export async function grepTree(input: GrepTreeInput, signal: AbortSignal): Promise<GrepOutcome> {
  const { gitDirectory, pattern, isRegex = false, ignoreCase = false, matchesMax = 200 } = input
  checkPattern(pattern)
  const tree = await findRoot(input, signal)
  if (tree === null) return { matches: [], isWhole: true }
  const flags = ['-z', '-n', '-I', '--full-name', '--no-color', '--no-textconv', '--no-recurse-submodules']
  const mode = [isRegex ? '-E' : '-F', ...(ignoreCase ? ['-i'] : [])]
  const prefix = input.pathPrefix?.replace(/^(?:\.?\/)+|\/+$/g, '') ?? ''
  const paths = prefix === '' || prefix === '.' ? [] : [`:(top,literal)${prefix}`]
  // The pattern follows `-e`, so it is never an option; this command does not know `--end-of-options`.
  const args = ['grep', ...flags, ...mode, '-e', pattern, tree, '--', ...paths]
  const limits = { bytesMax: outputBytesMax, timeoutMs: input.timeoutMs ?? timeoutMsDefault, tooLong: explainSlowness }
  const found = await collectOutputStart({ gitDirectory, args, signal }, limits)
  if (found.isWhole && found.exitCode > 1) throw explainFailure(found.exitCode, found.stderr)
  const matches = parseMatches(found.output.toString('utf8'), tree, found.isWhole)
  return { matches: matches.slice(0, matchesMax), isWhole: found.isWhole && matches.length <= matchesMax }
}

function checkPattern(pattern: string): void {
  const fault =
    pattern === ''
      ? 'is empty'
      : pattern.length > patternCharsMax
        ? `is longer than ${patternCharsMax} characters`
        : /[\0\n\r]/.test(pattern)
          ? 'is more than one line'
          : null
  if (fault !== null) throw new AppError('invalid_request', `The pattern ${fault}. Search for a part of one line.`)
}

/** @returns Null if the tree has nothing there. */
async function findRoot({ gitDirectory, revision, subdirectory = '' }: GrepTreeInput, signal: AbortSignal) {
  const folder = subdirectory.replace(/^(?:\.?\/)+|\/+$/g, '')
  if (folder === '' || folder === '.') return checkObjectId(revision)
  return resolveObject(gitDirectory, `${checkObjectId(revision)}:${folder}`, signal)
}

function explainSlowness(): AppError {
  return new AppError('invalid_request', 'The search took too long. Search below a folder, or for a simpler pattern.')
}

function explainFailure(exitCode: number, stderr: string): Error {
  const [, reason] = /^fatal: (?:-e option|command line), '[\s\S]*': (.*)/.exec(stderr) ?? []
  if (reason === undefined) return new Error(`git grep exited with ${exitCode}: ${stderr.trim()}`)
  return new AppError(
    'invalid_request',
    `The pattern is no regular expression: ${reason}. Correct it, or search literally.`,
  )
}

/** `<tree>:<path>`, NUL, the line number, NUL, the line and a line feed. */
function parseMatches(output: string, tree: string, isWhole: boolean): GrepMatch[] {
  const lines = output.split('\n')
  // The last element is empty after a line feed, and incomplete if the output was cut.
  lines.pop()
  const matches: GrepMatch[] = []
  for (const line of lines) {
    const [name = '', number = '', ...rest] = line.split('\0')
    const path = name.startsWith(`${tree}:`) ? name.slice(tree.length + 1) : name
    matches.push({ path, line: Number(number), text: rest.join('\0').replace(/\r$/, '').slice(0, lineCharsMax) })
  }
  return isWhole ? matches : matches.slice(0, -1)
}
