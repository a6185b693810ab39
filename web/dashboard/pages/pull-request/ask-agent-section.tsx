import { promptCharsMax } from '../../../../src/contract/agent-job.ts'
import { Section } from '../../../ui/section.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { commentOnPullRequest } from '../../api/pull-requests.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useReview } from './review-context.ts'
import { say } from '../../../words/say.ts'

/** Sends a comment to the job that opened the pull request, which answers in the conversation. */
export function AskAgentSection() {
  const { editor, pullRequest } = useReview()
  const form = useForm({
    initial: { body: '' },
    send: ({ body }) => commentOnPullRequest(editor?.id ?? '', body, true),
    next: () => ({ body: '' }),
    stale: ['viewPullRequest'],
  })
  if (editor === null || pullRequest.member?.jobId == null || pullRequest.state !== 'open') return null
  return (
    <Section title={say('Ask for a change')}>
      <FormView form={form} action={say('Ask the agent')}>
        <TextAreaField
          {...form.field('body', say('The change'))}
          label={say('What to change')}
          description={say('The agent works on the same branch, and replies in the comments.')}
          required
          maxLength={promptCharsMax}
        />
      </FormView>
    </Section>
  )
}
