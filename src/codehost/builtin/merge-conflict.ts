import { AppError } from '../../contract/app-error.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'

const namedFilesMax = 20

export function mergeConflict(
  { baseBranch, headBranch }: Pick<PullRequestRecord, 'baseBranch' | 'headBranch'>,
  files: readonly string[],
): AppError {
  const named = nameFiles(files)
  return new AppError(
    'merge_conflict',
    `"${baseBranch}" and "${headBranch}" changed the same lines of ${named}. Merge "${baseBranch}" into "${headBranch}", resolve the conflicts, and push.`,
  )
}

export function nameFiles(files: readonly string[]): string {
  const more = files.length > namedFilesMax ? ` and ${files.length - namedFilesMax} more` : ''
  return `${files.slice(0, namedFilesMax).join(', ')}${more}`
}
