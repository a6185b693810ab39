import { diffCommits, type FileDiff } from '../../git/commits/diff-commits.ts'
import type { PullRequestThread } from '../../store/hosting/pull-request-reviews.ts'
import { moveRange } from './move-range.ts'

/** A thread and where its lines are now. */
export interface PlacedThread extends PullRequestThread {
  /** Whether the lines have changed since; the place is then the one commented on. */
  isOutdated: boolean
}

interface PlacesNow {
  gitDirectory: string
  /** Full ids of the commits that are compared now. */
  before: string
  after: string
}

/** Threads of commits before the newest of these are outdated, so that a page starts few git processes. */
const commitsMax = 20
const patchBytesMax = 4 * 1024 * 1024

/** Follows the lines of threads through the commits since. */
export async function placeThreads(
  threads: readonly PullRequestThread[],
  now: PlacesNow,
  signal: AbortSignal,
): Promise<PlacedThread[]> {
  const steps = new Map(threads.map(({ side, commit }) => [`${side} ${commit}`, { side, commit }]))
  const recent = [...steps].slice(-commitsMax)
  const changes = new Map(
    await Promise.all(
      recent.map(async ([key, { side, commit }]) => [key, await readChanges(now, { side, commit }, signal)] as const),
    ),
  )
  return threads.map((thread) => placeThread(thread, changes.get(`${thread.side} ${thread.commit}`) ?? null))
}

/** By the path before; null if the commit is gone. */
type Changes = ReadonlyMap<string, FileDiff> | null

async function readChanges(
  now: PlacesNow,
  { side, commit }: Pick<PullRequestThread, 'side' | 'commit'>,
  signal: AbortSignal,
): Promise<Changes> {
  const { gitDirectory } = now
  if (commit === now[side]) return new Map()
  try {
    const input = { gitDirectory, from: commit, to: now[side], patchBytesMax, filesMax: Infinity }
    const { files } = await diffCommits(input, signal)
    return new Map(files.map((file) => [file.previousPath ?? file.path, file]))
  } catch (error) {
    signal.throwIfAborted()
    // A branch that was deleted and pushed again may have lost it.
    if (error instanceof Error) return null
    throw error
  }
}

function placeThread(thread: PullRequestThread, changes: Changes): PlacedThread {
  const file = changes?.get(thread.path)
  if (changes !== null && file === undefined) return { ...thread, isOutdated: false }
  const outdated = { ...thread, isOutdated: true }
  if (file === undefined || file.kind === 'deleted' || file.isBinary || file.becomes === 'link') return outdated
  if (file.patch === null && file.additions + file.deletions > 0) return outdated
  const range = moveRange(file.patch ?? '', { first: thread.firstLine, last: thread.lastLine })
  if (range === null) return outdated
  return { ...thread, path: file.path, firstLine: range.first, lastLine: range.last, isOutdated: false }
}
