import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AgentJobResource, deletionsMax } from '../../../../src/contract/agent-job.ts'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { call } from '../../api/call.ts'
import { jobQuery } from '../../api/jobs.ts'
import { useMay } from '../../api/session.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import classes from './job-page.module.css'
import { say } from '../../../words/say.ts'

/** Lets an owner allow the deletions that a job was refused. */
export function DeletionConsent({ job }: { job: AgentJobResource }) {
  const mayAllow = useMay('owner')
  const [asks, setAsks] = useState(false)
  const client = useQueryClient()
  const change = useChange({
    send: ({ id, projectId }: AgentJobResource) =>
      call(agentJobOperations.allowJobDeletions, { params: { id, projectId } }),
    done: say('Deletions allowed.'),
    onDone: (changed) => client.setQueryData(jobQuery(changed.id).queryKey, changed),
  })
  if (job.deletionsAllowedBy !== null || job.archivedAt !== null) return null
  return (
    <Notice tone="warning">
      <p className={classes.text}>
        {say(
          'This job was not allowed to delete more than {max} files, every page of the site, the home page, or a file that others use.',
          { max: deletionsMax },
        )}{' '}
        {mayAllow ? null : say('An owner can allow it here.')}
      </p>
      {mayAllow ? <Button onClick={() => setAsks(true)}>{say('Allow deletions')}</Button> : null}
      <ConfirmChange
        title={say('Let this job delete files?')}
        action={say('Allow deletions')}
        change={change}
        input={asks ? job : null}
        onClose={() => setAsks(false)}
      >
        {say(
          'The job may delete any number of pages and images, and files that others use. It retries its last message. The audit log and the pull request record your name.',
        )}
      </ConfirmChange>
    </Notice>
  )
}
