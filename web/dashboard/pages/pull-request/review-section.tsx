import { Check, MessageSquare, X } from 'lucide-react'
import {
  commentCharsMax,
  type ReviewResource,
  type ReviewVerdict,
} from '../../../../src/contract/pull-request-review.ts'
import { RadioField } from '../../../ui/choice-field.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { AnswerMarkdown } from '../../answers/answer-markdown.tsx'
import { reviewPullRequest } from '../../api/pull-requests.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { VisibleText } from '../../shell/visible-text.tsx'
import classes from './pull-request-page.module.css'
import { useReview } from './review-context.ts'
import { say } from '../../../words/say.ts'

const verdicts = {
  approve: { label: say('Approve'), said: say('approved'), icon: Check },
  'request-changes': { label: say('Ask for changes'), said: say('asked for changes'), icon: X },
  comment: { label: say('Comment only'), said: say('reviewed'), icon: MessageSquare },
} as const satisfies Record<ReviewVerdict, unknown>

const choices = (['approve', 'request-changes', 'comment'] as const).map((value) => ({
  value,
  label: verdicts[value].label,
}))

const nothingLinked = [] as const

/** Verdicts on the pull request, and the form for one's own. */
export function ReviewSection() {
  const { pullRequest, editor } = useReview()
  const { reviews, state } = pullRequest
  const canReview = editor !== null && state === 'open'
  if (reviews.length === 0 && !canReview) return null
  return (
    <Section title={say('Reviews')}>
      <ol className={classes.rows}>
        {reviews.map((review) => (
          <ReviewItem key={`${review.createdAt} ${review.author}`} review={review} />
        ))}
      </ol>
      {canReview ? <ReviewForm /> : null}
    </Section>
  )
}

function ReviewItem({ review: { author, verdict, body, createdAt, isCurrent } }: { review: ReviewResource }) {
  const { said, icon: Icon } = verdicts[verdict]
  return (
    <li>
      <p className={classes.said}>
        <Icon size={15} aria-hidden className={classes[verdict]} />
        <span>
          <VisibleText text={author} /> {said}, <TimeText time={createdAt} />
          {isCurrent ? null : <>. {say('Commits were pushed since')}</>}
        </span>
      </p>
      {body === '' ? null : <AnswerMarkdown text={body} sources={nothingLinked} />}
    </li>
  )
}

function ReviewForm() {
  const { editor } = useReview()
  const form = useForm({
    initial: { verdict: 'approve' as ReviewVerdict, body: '' },
    send: (values) => reviewPullRequest(editor?.id ?? '', { ...values, head: editor?.headCommit ?? '' }),
    next: () => ({ verdict: 'approve' as ReviewVerdict, body: '' }),
    done: say('Review sent.'),
    stale: ['viewPullRequest', 'getPullRequest', 'listPullRequests'],
  })
  const { value, onValueChange } = form.field('verdict')
  return (
    <FormView form={form} action={say('Send review')}>
      <RadioField legend={say('Your verdict')} choices={choices} value={value} onValueChange={onValueChange} />
      <TextAreaField
        {...form.field('body', say('The review'))}
        label={say('Reasons')}
        description={say('Supports Markdown.')}
        isOptional={value === 'approve'}
        required={value !== 'approve'}
        maxLength={commentCharsMax}
      />
    </FormView>
  )
}
