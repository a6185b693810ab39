import { checkObjectId } from '../object-id.ts'
import { runGit } from '../run-git.ts'

/** What the past says about the files of a commit. Both maps are empty where it is not known. */
export interface PathHistory {
  /** Milliseconds by path: when the newest change of the file reached the branch. */
  changedAt: ReadonlyMap<string, number>
  /** Former paths that no file has now, each with the path of the file that was there last. */
  movedTo: ReadonlyMap<string, string>
}

export interface PathHistoryInput {
  gitDirectory: string
  /** Full id of the commit to look back from. */
  commit: string
  /** Only files in this folder; empty for all. */
  folder: string
  /** Files of the commit, by path in the repository. */
  paths: Iterable<string>
}

const commitsMax = 5_000
/** Commits may bear any time; later ones than the year 9999 cannot be written as dates. */
const timeMax = Date.UTC(9999, 0)
const limits = { timeoutMs: 20_000, outputBytesMax: 32 * 1024 * 1024 }

export const unknownHistory: PathHistory = { changedAt: new Map(), movedTo: new Map() }

/**
 * Walks the newest 5,000 commits of the main line, where a merge counts as one change with the date of the merge.
 *
 * A file moved where git finds nine tenths of it at another path in the same commit.
 *
 * @returns Nothing for a shallow repository, whose oldest commit seems to add every file, and if the walk takes over 20
 *   seconds: a site is indexed without its past rather than not at all.
 */
export async function readPathHistory(input: PathHistoryInput, signal: AbortSignal): Promise<PathHistory> {
  try {
    return await walk(input, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Error)) throw error
    return unknownHistory
  }
}

async function walk({ gitDirectory, commit, folder, paths }: PathHistoryInput, signal: AbortSignal) {
  const run = (args: readonly string[]) => runGit({ gitDirectory, args, signal }, limits)
  const shallow = await run(['rev-parse', '--is-shallow-repository'])
  if (shallow.stdout.toString('utf8').trim() !== 'false') return unknownHistory
  const form = ['--raw', '-r', '-z', '-M90%', '--no-abbrev', '--format=%x01%ct', '--no-ext-diff', '--no-textconv']
  const flags = ['--first-parent', '-m', `--max-count=${commitsMax}`, ...form]
  const scope = folder === '' ? [] : ['--', `:(top,literal)${folder}`]
  const { exitCode, stdout } = await run(['log', ...flags, checkObjectId(commit), ...scope])
  if (exitCode !== 0) return unknownHistory
  return followPaths(parseWalk(stdout.toString('utf8')), paths)
}

interface PathChange {
  /** Milliseconds. */
  at: number
  kind: 'added' | 'deleted' | 'modified' | 'moved'
  path: string
  /** Source path of a move. */
  from: string
}

const kinds: Readonly<Record<string, PathChange['kind']>> = { A: 'added', D: 'deleted', R: 'moved' }

/** A commit is its time behind U+0001; each change is `:<modes> <ids> <status>` and one path, or two of a move. */
function* parseWalk(output: string): Generator<PathChange> {
  const fields = output.split('\0')
  let at = 0
  for (let index = 0; index < fields.length; index++) {
    const field = (fields[index] ?? '').trimStart()
    if (field.startsWith('\u0001')) at = Number(field.slice(1)) * 1000
    if (!field.startsWith(':')) continue
    const kind = kinds[field.split(' ')[4]?.charAt(0) ?? ''] ?? 'modified'
    const from = fields[++index] ?? ''
    yield { at, kind, from, path: kind === 'moved' ? (fields[++index] ?? '') : from }
  }
}

/** @param changes Newest first. */
function followPaths(changes: Iterable<PathChange>, paths: Iterable<string>): PathHistory {
  // What the file that had a path at that time is called now. A path without an entry had a file that is gone.
  const names = new Map([...paths].map((path) => [path, path]))
  const present = new Set(names.keys())
  const changedAt = new Map<string, number>()
  const movedTo = new Map<string, string>()
  const left = new Set<string>()
  for (const { at, kind, path, from } of changes) {
    const name = names.get(path)
    if (name !== undefined && !changedAt.has(name) && at > 0 && at < timeMax) changedAt.set(name, at)
    if (kind === 'added' || kind === 'moved') names.delete(path)
    if (kind === 'deleted') left.add(path)
    if (kind !== 'moved') continue
    if (name !== undefined) names.set(from, name)
    // Only the last file at a path counts: readers remember that one.
    if (name !== undefined && !left.has(from) && !present.has(from)) movedTo.set(from, name)
    left.add(from)
  }
  return { changedAt, movedTo }
}
