/**
 * The refs of a pull request in its repository. They are hidden from git clients, and keep its commits readable after
 * its branch is gone.
 */

/** What its branch names, or named last. */
export function headRef(number: number): string {
  return `refs/pull/${number}/head`
}

/** The merge commit. Set together with the base branch, so that a merge is never half known. */
export function mergedRef(number: number): string {
  return `refs/pull/${number}/merged`
}

export function branchRef(branch: string): string {
  return `refs/heads/${branch}`
}
