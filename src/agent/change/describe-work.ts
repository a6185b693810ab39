import type { FinishedWork } from '../tools/agent-tool.ts'
import type { JobRound } from '../rounds/job-round.ts'

/** What the agent says of its work, or what is said for it where it did not come to its end. */
export function describeWork({ checkpoint, job }: JobRound): FinishedWork {
  const { finished } = checkpoint.tools
  if (finished !== null) return finished
  const title = `Draft: ${job.prompt.replaceAll(/\s+/g, ' ')}`
  return { title, summary: 'The work on this request is not finished; this is what was done.', notDone: '' }
}
