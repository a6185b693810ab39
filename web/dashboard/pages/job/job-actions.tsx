import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Archive, Ban } from 'lucide-react'
import { useState } from 'react'
import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { describeError } from '../../api/api-error.ts'
import { archiveJob, cancelJob, jobQuery } from '../../api/jobs.ts'
import { useMay } from '../../api/session.ts'

/** An active job can be cancelled, one that has ended archived. */
export function JobActions({ job }: { job: AgentJobResource }) {
  const mayDecide = useMay('editor')
  const [asks, setAsks] = useState(false)
  const cancel = useJobChange(cancelJob, 'The job is cancelled.')
  const archive = useJobChange(archiveJob, 'The job is archived.')
  if (!mayDecide || job.archivedAt !== null) return null
  const isActive = job.status === 'active'
  const close = () => setAsks(false)
  const change = isActive ? cancel : archive
  return (
    <>
      <Button onClick={() => setAsks(true)}>
        {isActive ? <Ban size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
        {isActive ? 'Cancel the job' : 'Archive'}
      </Button>
      <ConfirmDialog
        title={isActive ? 'Cancel this job?' : 'Archive this job?'}
        action={isActive ? 'Cancel the job' : 'Archive'}
        isOpen={asks}
        isBusy={change.isPending}
        error={change.isError ? describeError(change.error) : null}
        onConfirm={() => change.mutate(job, { onSuccess: close })}
        onClose={close}
      >
        {isActive
          ? 'The agent stops after its current step, and no pull request is opened. A further message goes on with the job.'
          : 'It keeps its state and takes no more messages. This cannot be undone.'}
      </ConfirmDialog>
    </>
  )
}

function useJobChange(change: (job: AgentJobResource) => Promise<AgentJobResource>, done: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (changed) => {
      client.setQueryData(jobQuery(changed.id).queryKey, changed)
      showToast({ title: done })
    },
  })
}
