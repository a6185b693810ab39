import { useQuery } from '@tanstack/react-query'
import { commentCharsMax } from '../../../../src/contract/pull-request-review.ts'
import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Section } from '../../../ui/section.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { AnswerMarkdown } from '../../answers/answer-markdown.tsx'
import { commentOnPullRequest } from '../../api/pull-requests.ts'
import { hasRole, sessionQuery } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { CommentText } from './comment-text.tsx'
import classes from './pull-request-page.module.css'
import { say } from '../../../words/say.ts'

interface Props {
  pullRequest: PullRequestViewResource
}

const nothingLinked = [] as const
/** By which the service finds its own comment again. */
const ownMark = /^<!-- docent:[^>]*-->\s*/

/** Comments on the pull request as a whole. */
export function ConversationSection({ pullRequest }: Props) {
  const { comments } = pullRequest
  return (
    <Section title={say('Comments ({comments})', { comments: comments.length })}>
      {comments.length === 0 ? <p className={classes.muted}>{say('No comments yet.')}</p> : null}
      <ol className={classes.rows}>
        {comments.map((comment) => (
          <li key={comment.id}>
            <CommentText comment={comment}>
              <AnswerMarkdown text={comment.body.replace(ownMark, '')} sources={nothingLinked} />
            </CommentText>
          </li>
        ))}
      </ol>
      <CommentForm pullRequest={pullRequest} />
    </Section>
  )
}

function CommentForm({ pullRequest: { member } }: Props) {
  const session = useQuery(sessionQuery)
  const form = useForm({
    initial: { body: '' },
    send: ({ body }) => commentOnPullRequest(member?.id ?? '', body),
    next: () => ({ body: '' }),
    stale: ['viewPullRequest'],
  })
  if (member === null || !hasRole(session.data?.user, 'editor')) return null
  return (
    <FormView form={form} action={say('Comment')}>
      <TextAreaField
        {...form.field('body', say('The comment'))}
        label={say('Comment')}
        description={say('Supports Markdown.')}
        required
        maxLength={commentCharsMax}
      />
    </FormView>
  )
}
