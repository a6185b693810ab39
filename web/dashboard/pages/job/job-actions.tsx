import { useQueryClient } from '@tanstack/react-query'
import { Archive, Ban } from 'lucide-react'
import { useState } from 'react'
import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import { Button } from '../../../ui/button.tsx'
import { useMay } from '../../api/session.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { call } from '../../api/call.ts'
import { jobQuery } from '../../api/jobs.ts'
import { say } from '../../../words/say.ts'

/** Cancel for active jobs, archive for ended ones. */
export function JobActions({ job }: { job: AgentJobResource }) {
  const mayDecide = useMay('editor')
  const [asks, setAsks] = useState(false)
  const client = useQueryClient()
  const isActive = job.status === 'active'
  const keep = (changed: AgentJobResource) => void client.setQueryData(jobQuery(changed.id).queryKey, changed)
  const change = useChange({
    send: ({ id, projectId }: AgentJobResource) =>
      call(agentJobOperations[isActive ? 'cancelJob' : 'archiveJob'], { params: { id, projectId } }),
    done: isActive ? say('Job cancelled.') : say('Job archived.'),
    onDone: keep,
    undo: ({ id, projectId, archivedAt }) =>
      archivedAt === null
        ? null
        : async () => keep(await call(agentJobOperations.unarchiveJob, { params: { id, projectId } })),
    stale: ['listJobs'],
    hasFailureToast: true,
  })
  if (!mayDecide || job.archivedAt !== null) return null
  return (
    <>
      <Button isBusy={change.isPending} onClick={() => (isActive ? setAsks(true) : change.mutate(job))}>
        {isActive ? <Ban size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
        {isActive ? say('Cancel job') : say('Archive')}
      </Button>
      <ConfirmChange
        title={say('Cancel this job?')}
        action={say('Cancel job')}
        change={change}
        input={asks ? job : null}
        onClose={() => setAsks(false)}
      >
        {say(
          'The agent stops after its current step without opening a pull request. A follow-up message resumes the job.',
        )}
      </ConfirmChange>
    </>
  )
}
