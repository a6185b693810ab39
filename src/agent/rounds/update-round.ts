import type { AgentDeps } from '../agent-deps.ts'
import { createNote } from '../conversation/view-conversation.ts'
import { type JobRound, recordStep, type RoundDeps } from './job-round.ts'
import type { JobPlace } from './job-workspace.ts'
import { describeUpdate, pinBranch } from './pin-commits.ts'

/**
 * Continues a round whose branch is pushed but conflicts with a base that has moved: merges the base, and lets the model
 * merge what neither lines nor structure could. A built-in model cannot; its round ends with the conflicts.
 *
 * @param input.delivered The commit that the branch points to.
 */
export async function updateRound(
  deps: RoundDeps & Pick<AgentDeps, 'models'>,
  { round, place, delivered }: { round: JobRound; place: JobPlace; delivered: string },
  signal: AbortSignal,
): Promise<JobRound> {
  const { host, job } = place
  const { commit: base } = await host.resolveBranch(job.ref, signal)
  const branch = { base, tip: delivered, at: deps.clock.now(), isUpdated: true }
  const { commits, conflicts, note } = await pinBranch(host, branch, signal)
  const isBuiltIn = (await deps.models()).find(round.job.model)?.contextTokens === Infinity
  const { checkpoint } = round
  const isHandedOver = note !== null && !isBuiltIn
  const resumed = isHandedOver && { finished: null, repairs: 0, checkedState: null }
  return recordStep(deps, round, {
    messages: isHandedOver ? [createNote(note)] : [],
    checkpoint: {
      ...checkpoint,
      ...commits,
      overlay: { base: commits.headCommit, files: [] },
      tools: { ...checkpoint.tools, ...resumed, conflicts },
      updates: checkpoint.updates + 1,
      delivery: null,
    },
    events: describeUpdate({ commits, conflicts }),
  })
}
