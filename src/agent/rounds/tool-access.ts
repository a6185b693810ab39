import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { diffCommits, type FileDiff } from '../../git/commits/diff-commits.ts'
import { openFileHistory } from '../../git/commits/file-history.ts'
import { writeOverlayTree } from '../../git/overlay/commit-overlay.ts'
import type { Overlay } from '../../git/overlay/overlay.ts'
import { revertJobCommit } from '../checks/job-commits.ts'
import type { AgentDeps } from '../agent-deps.ts'
import type { AgentToolDeps } from '../tools/agent-tool.ts'

export interface WorkPlace {
  jobId: string
  gitDirectory: string
  subdirectory: string
  baseCommit: string
  headCommit: string
  overlay: Overlay
}

interface AccessOptions extends Pick<AgentDeps, 'scratchFolder'> {
  checks: Pick<AgentDeps['checks'], 'check' | 'findForbidden' | 'ask'>
  /** The owner's patterns of files that may contain code. */
  allowed: readonly string[]
  /** The owner's hashes of values that are no secrets. */
  allowedSecrets: readonly string[]
  /** Whether an owner lets the job delete many files, and files that others use. */
  mayDelete(): Promise<boolean>
}

/** What tools know of a job's files through git and the checks. */
export function toToolAccess(
  { overlay, ...place }: WorkPlace,
  { scratchFolder, checks, allowed, allowedSecrets, mayDelete }: AccessOptions,
): Pick<AgentToolDeps, 'askSite' | 'check' | 'diff' | 'findForbidden' | 'history' | 'revert'> {
  const { jobId, gitDirectory, subdirectory, baseCommit, headCommit } = place
  const now = () => ({ gitDirectory, subdirectory, headCommit, overlay: overlay.toJSON() })
  return {
    history: openFileHistory({ gitDirectory, commit: headCommit, subdirectory }),
    revert: (commit, signal) => revertJobCommit(place, commit, signal),
    askSite: (kind, question, signal) => checks.ask(kind, { ...now(), ...question }, signal),
    diff: async (path, signal) => {
      const to = await writeOverlayTree({ gitDirectory, overlay, subdirectory, scratchFolder }, signal)
      const { files } = await diffCommits({ gitDirectory, from: headCommit, to }, signal)
      return describeDiff(files, subdirectory, path)
    },
    check: ({ isWhole }, signal): Promise<AgentProblem[]> =>
      checks.check({ ...now(), baseCommit, isWhole, allowedSecrets }, signal),
    findForbidden: async (paths, { mayChangeEntries }, signal) => {
      const location = { gitDirectory, subdirectory, jobId, baseCommit, headCommit }
      const request = { ...location, overlay: overlay.pick(paths), paths, allowed, allowedSecrets, mayChangeEntries }
      return checks.findForbidden({ ...request, mayDelete: await mayDelete() }, signal)
    },
  }
}

/** @param path Relative to the site's folder. */
function describeDiff(files: readonly FileDiff[], subdirectory: string, path: string | null): string {
  const prefix = subdirectory === '' ? '' : `${subdirectory}/`
  const below = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name)
  const shown = files.filter(
    ({ path: name, previousPath }) => path === null || below(name) === path || below(previousPath ?? '') === path,
  )
  return shown
    .map(({ path: name, previousPath, kind, patch, isBinary }) => {
      const before = kind === 'added' ? '/dev/null' : `a/${below(previousPath ?? name)}`
      const after = kind === 'deleted' ? '/dev/null' : `b/${below(name)}`
      return `--- ${before}\n+++ ${after}\n${patch ?? (isBinary ? '(not text)\n' : '')}`
    })
    .join('')
}
