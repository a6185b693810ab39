import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import { Button } from '../../../ui/button.tsx'
import { Form, FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import { jobQuery, sendMessage } from '../../api/jobs.ts'
import { useMay } from '../../api/session.ts'

/** Goes on with a job. */
export function FollowUpForm({ job }: { job: AgentJobResource }) {
  const mayWrite = useMay('editor')
  const [text, setText] = useState('')
  const client = useQueryClient()
  const send = useMutation({
    mutationFn: () => sendMessage(job, text),
    onSuccess: (followed) => {
      setText('')
      client.setQueryData(jobQuery(followed.id).queryKey, followed)
    },
  })
  if (!mayWrite || job.archivedAt !== null) return null
  const hasFieldError = send.error instanceof ApiError && send.error.details.length > 0
  return (
    <Form isBusy={send.isPending} onSubmit={() => send.mutate()}>
      {send.isError && !hasFieldError ? <Notice tone="danger">{describeError(send.error)}</Notice> : null}
      <TextAreaField
        label="Further message"
        description={describeEffect(job)}
        required
        rows={3}
        value={text}
        onValueChange={setText}
        error={describeFieldError(send.error, 'The message', 'prompt')}
      />
      <FormActions>
        <Button type="submit" look="primary" isBusy={send.isPending}>
          <Send size={15} aria-hidden /> Send
        </Button>
      </FormActions>
    </Form>
  )
}

function describeEffect({ status, pullRequest }: AgentJobResource): string {
  if (status === 'active') return 'The agent reads it after its current step.'
  if (pullRequest !== null && pullRequest.state !== 'open') {
    return 'The pull request has ended: the agent starts from the branch as it is now, and opens another one.'
  }
  return 'The agent goes on with the same branch and pull request.'
}
