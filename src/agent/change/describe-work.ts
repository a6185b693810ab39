import { maskSecrets } from '../../base/mask-secrets.ts'
import type { JobRound } from '../rounds/job-round.ts'
import type { FinishedWork } from '../tools/agent-tool.ts'

/** The agent's own description of its work, or a substitute if it did not finish. */
export function describeWork({ checkpoint, job }: JobRound): FinishedWork {
  const { finished } = checkpoint.tools
  if (finished !== null) return maskWork(finished)
  const title = `Draft: ${job.prompt.replaceAll(/\s+/g, ' ')}`
  return maskWork({ title, summary: 'The work on this request is not finished; this is what was done.', notDone: '' })
}

function maskWork({ title, summary, notDone }: FinishedWork): FinishedWork {
  return { title: maskSecrets(title), summary: maskSecrets(summary), notDone: maskSecrets(notDone) }
}
