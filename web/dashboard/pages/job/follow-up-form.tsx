import { useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { useMay } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { call } from '../../api/call.ts'
import { jobQuery } from '../../api/jobs.ts'
import { say } from '../../../words/say.ts'

export function FollowUpForm({ job }: { job: AgentJobResource }) {
  const mayWrite = useMay('editor')
  const client = useQueryClient()
  const form = useForm({
    initial: { prompt: '' },
    send: (body) => call(agentJobOperations.sendJobMessage, { params: { id: job.id, projectId: job.projectId }, body }),
    next: () => ({ prompt: '' }),
    onDone: (followed) => client.setQueryData(jobQuery(followed.id).queryKey, followed),
  })
  if (!mayWrite || job.archivedAt !== null) return null
  const send = (
    <>
      <Send size={15} aria-hidden /> {say('Send')}
    </>
  )
  return (
    <FormView form={form} action={send}>
      <TextAreaField
        label={say('Follow-up message')}
        description={describeEffect(job)}
        required
        rows={3}
        {...form.field('prompt', say('The message'))}
      />
    </FormView>
  )
}

function describeEffect({ status, pullRequest }: AgentJobResource): string {
  if (status === 'active') return say('The agent reads it after its current step.')
  if (pullRequest !== null && pullRequest.state !== 'open') {
    return say('The pull request is no longer open: the agent starts from the current branch and opens a new one.')
  }
  return say('The agent continues on the same branch and pull request.')
}
