import type { JobRound } from '../rounds/job-round.ts'
import type { FinishedWork } from '../tools/agent-tool.ts'

/** The agent's own description of its work, or a substitute if it did not finish. */
export function describeWork({ checkpoint, job }: JobRound): FinishedWork {
  const { finished } = checkpoint.tools
  if (finished !== null) return finished
  const title = `Draft: ${job.prompt.replaceAll(/\s+/g, ' ')}`
  return { title, summary: 'The work on this request is not finished; this is what was done.', notDone: '' }
}
