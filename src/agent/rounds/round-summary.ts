import { maskSecrets } from '../../base/mask-secrets.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { AgentJobState } from '../../store/agent/agent-job-steps.ts'
import { describePlan } from '../conversation/describe-work-so-far.ts'
import type { FileChanges, StoredCheckpoint } from './stored-checkpoint.ts'

/** What a round of a job did, for the rounds after it. */
export interface RoundSummary {
  round: number
  title: string
  summary: string
  /** What it says it left undone; empty if nothing. */
  notDone: string
  /** By path within the site's folder. */
  files: { path: string; isDeleted: boolean }[]
  /** Why it did not end by itself, with the plan that it had; null if it did. */
  failure: string | null
}

const roundsMax = 20
/** As many as a round may change: a follow-up such as "go on" needs to know what is left. Of older rounds, fewer. */
const filesMax = 500
const olderFilesMax = 50

/** The rounds of a job up to the one that a state is of. @param end How that ended, by its event. */
export function summarizeRounds(
  { round, checkpoint, fileChanges }: AgentJobState<StoredCheckpoint>,
  end: AgentJobEvent | null,
): RoundSummary[] {
  const { rounds, tools, stop } = checkpoint
  const { title = '', summary = '', notDone = '' } = tools.finished ?? {}
  const reason =
    end?.type === 'job-failed' ? end.message : (stop?.message ?? (tools.finished === null ? 'It was stopped.' : null))
  const failure = reason === null ? null : [reason, ...describePlan(tools.plan)].join('\n')
  // Written by `packCheckpoint`.
  const files = listFiles(fileChanges as FileChanges[]).slice(0, filesMax)
  const own = { round, files, failure, title, summary: maskSecrets(summary), notDone }
  const older = rounds.map((earlier) => ({ ...earlier, files: earlier.files.slice(0, olderFilesMax) }))
  return [...older, own].slice(-roundsMax)
}

function listFiles(changes: readonly FileChanges[]): RoundSummary['files'] {
  const files = new Map<string, boolean>()
  for (const { files: changed, reset } of changes) {
    for (const path of reset) files.delete(path)
    for (const { path, file } of changed) files.set(path, file === null)
  }
  return [...files].map(([path, isDeleted]) => ({ path, isDeleted }))
}

/** In the words of the model that did it. */
export function describeRound({ round, title, summary, notDone, files, failure }: RoundSummary): string {
  const named = files.map(({ path, isDeleted }) => `${path}${isDeleted ? ' (deleted)' : ''}`)
  return [
    `Round ${round}: ${title}`,
    summary,
    files.length === 0 ? 'I changed no file.' : `I changed ${named.join(', ')}.`,
    ...(notDone === '' ? [] : [`I left undone: ${notDone}`]),
    ...(failure === null ? [] : [`This round did not end by itself, so its work may be unfinished: ${failure}`]),
  ]
    .filter((line) => line !== '')
    .join('\n')
}
