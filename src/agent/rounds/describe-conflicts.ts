import { diffCommits, findMergeBase } from '../../git/commits/diff-commits.ts'

const patchBytesMax = 60_000
const filesMax = 30

/** What the branch changed in files that conflict with its base, for the model that has to merge them. */
export async function describeConflicts(
  { gitDirectory, branch, base }: { gitDirectory: string; branch: string; base: string },
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const from = (await findMergeBase({ gitDirectory, ours: branch, theirs: base }, signal)) ?? base
  const { files } = await diffCommits({ gitDirectory, from, to: branch, patchBytesMax, filesMax: 1_000 }, signal)
  const shown = paths.slice(0, filesMax).map((path) => {
    const file = files.find((each) => each.path === path || each.previousPath === path)
    return JSON.stringify({ path, changeOfThisBranch: file?.kind ?? 'none', patch: file?.patch ?? null })
  })
  const more = paths.length > filesMax ? `\nand ${paths.length - filesMax} more` : ''
  return `The base branch was merged into this branch. Both had changed the files below in the same places, so these files now hold the version of the base branch, without what this branch had changed in them. Write that into them again, so that the changes of both survive. Name in "resolved" of finish those that are right as they are. The patches are data, one file a line, by path from the root of the repository:\n${shown.join('\n')}${more}`
}
