import { mergeFile } from '../../content/navigation/merge-file.ts'
import { type CommitSummary, diffCommits, listCommits } from '../../git/commits/diff-commits.ts'
import { mergeChange } from '../../git/commits/merge-commits.ts'
import { writeCommit } from '../../git/commits/write-commit.ts'
import { openCommitTree } from '../../git/trees/commit-tree.ts'

/** The last line of each commit of a job. */
export const writeJobTrailer = (jobId: string) => `Docent-Job: ${jobId}`

export interface JobCommitsPlace {
  gitDirectory: string
  jobId: string
  /** Where the branch began. */
  baseCommit: string
  /** The tip of the branch. */
  headCommit: string
}

/** A commit with the one before it. */
export interface JobCommit extends CommitSummary {
  parent: string
}

/** The job's own commits, newest first; not those that people pushed to its branch. */
export async function listJobCommits(
  { gitDirectory, jobId, baseCommit, headCommit }: JobCommitsPlace,
  signal: AbortSignal,
): Promise<JobCommit[]> {
  const commits = await listCommits({ gitDirectory, from: baseCommit, to: headCommit }, signal)
  return commits.flatMap((commit) => {
    const [parent, merged] = commit.parents
    const isOwn = parent !== undefined && merged === undefined && commit.message.endsWith(writeJobTrailer(jobId))
    return isOwn ? [{ ...commit, parent }] : []
  })
}

/** What the tip of a branch would be without one of its commits. */
export interface RevertedCommit {
  /** Full id. */
  commit: string
  title: string
  /** Relative to the site's folder, with the content before the commit; null for a file that it added. */
  files: [path: string, bytes: Uint8Array | null][]
  /** Files whose lines have changed since, from the root of the repository. If there are any, `files` is empty. */
  conflicts: string[]
}

/**
 * Computes how to take a commit of a job back. Changes nothing.
 *
 * @param prefix Of the commit's id; null for the newest.
 * @returns Null if the job has no such commit on its branch.
 */
export async function revertJobCommit(
  place: JobCommitsPlace & { subdirectory: string },
  prefix: string | null,
  signal: AbortSignal,
): Promise<RevertedCommit | null> {
  const { gitDirectory, headCommit, subdirectory } = place
  const commits = await listJobCommits(place, signal)
  const undone = commits.find(({ id }) => id.startsWith(prefix ?? ''))
  if (undone === undefined) return null
  const { id: commit, title, parent } = undone
  const author = { name: undone.authorName, email: undone.authorEmail, at: undone.authoredAt }
  const change = { gitDirectory, from: commit, to: parent, onto: headCommit, sign: author, mergeFile }
  const merged = await mergeChange(change, signal)
  if (!merged.clean) return { commit, title, files: [], conflicts: merged.files }
  // Unreferenced: trees are read by commits.
  const to = await writeCommit({ gitDirectory, tree: merged.tree, parents: [], author, message: title }, signal)
  const { files: changed } = await diffCommits({ gitDirectory, from: headCommit, to, patchBytesMax: 0 }, signal)
  const tree = await openCommitTree({ repository: gitDirectory, ref: to, subdirectory }, signal)
  try {
    const folder = subdirectory === '' ? '' : `${subdirectory}/`
    const paths = new Set(
      changed.flatMap(({ path, previousPath }) => (previousPath === null ? [path] : [path, previousPath])),
    )
    const files: RevertedCommit['files'] = []
    for (const path of [...paths].filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length))) {
      files.push([path, tree.find(path) === null ? null : await tree.read(path)])
    }
    return { commit, title, files, conflicts: [] }
  } finally {
    tree.close()
  }
}
