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

/** Cancel for active jobs, archive for ended ones. */
export function JobActions({ job }: { job: AgentJobResource }) {
  const mayDecide = useMay('editor')
  const [asks, setAsks] = useState(false)
  const client = useQueryClient()
  const isActive = job.status === 'active'
  const change = useChange({
    send: ({ id, projectId }: AgentJobResource) =>
      call(agentJobOperations[isActive ? 'cancelJob' : 'archiveJob'], { params: { id, projectId } }),
    done: isActive ? 'Job cancelled.' : 'Job archived.',
    onDone: (changed) => client.setQueryData(jobQuery(changed.id).queryKey, changed),
  })
  if (!mayDecide || job.archivedAt !== null) return null
  return (
    <>
      <Button onClick={() => setAsks(true)}>
        {isActive ? <Ban size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
        {isActive ? 'Cancel job' : 'Archive'}
      </Button>
      <ConfirmChange
        title={isActive ? 'Cancel this job?' : 'Archive this job?'}
        action={isActive ? 'Cancel job' : 'Archive'}
        change={change}
        input={asks ? job : null}
        onClose={() => setAsks(false)}
      >
        {isActive
          ? 'The agent stops after its current step without opening a pull request. A follow-up message resumes the job.'
          : 'It keeps its state and accepts no more messages. This cannot be undone.'}
      </ConfirmChange>
    </>
  )
}
