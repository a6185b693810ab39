/**
 * The refs of a pull request in its repository. Hidden from git clients; they keep its commits reachable after its
 * branch is deleted.
 */

/** Current or last commit of its branch. */
export function headRef(number: number): string {
  return `refs/pull/${number}/head`
}

/** The merge commit. Set atomically with the base branch, so that a merge is never half recorded. */
export function mergedRef(number: number): string {
  return `refs/pull/${number}/merged`
}

export function branchRef(branch: string): string {
  return `refs/heads/${branch}`
}
