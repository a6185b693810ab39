import { useState } from 'react'
import {
  type CommentResource,
  type ThreadResource,
  splitSuggestion,
  commentCharsMax,
} from '../../../../../src/contract/pull-request-review.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { TextAreaField } from '../../../../ui/text-field.tsx'
import { AnswerMarkdown } from '../../../answers/answer-markdown.tsx'
import { replyToReviewThread, resolveReviewThread } from '../../../api/pull-requests.ts'
import { FormView } from '../../../forms/form-view.tsx'
import { useChange } from '../../../forms/use-change.ts'
import { useForm } from '../../../forms/use-form.ts'
import { VisibleText } from '../../../shell/visible-text.tsx'
import { CommentText } from '../comment-text.tsx'
import { useReview } from '../review-context.ts'
import classes from './files.module.css'
import { Suggestion } from './suggestion.tsx'
import { say, sayParts } from '../../../../words/say.ts'

interface Props {
  thread: ThreadResource
  /** For threads that are not shown below their lines. */
  showsPlace?: boolean
}

const nothingLinked = [] as const

/** Comments on lines. Resolved ones are folded. */
export function ReviewThread({ thread, showsPlace = false }: Props) {
  const { firstLine, lastLine, isOutdated, resolvedBy, text, comments } = thread
  const place =
    firstLine === lastLine
      ? say('Line {lastLine}', { lastLine })
      : say('Lines {firstLine} to {lastLine}', { firstLine, lastLine })
  const [isOpen, setOpen] = useState(resolvedBy === null)
  return (
    <details
      className={classes.thread}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      aria-label={say('Comments on {place}', { place: place.toLowerCase() })}
    >
      <summary>
        {place} {isOutdated ? <Badge tone="warning">{say('Outdated')}</Badge> : null}{' '}
        {resolvedBy === null ? null : (
          <Badge tone="success">
            {sayParts('Resolved by {resolvedBy}', { resolvedBy: <VisibleText text={resolvedBy} /> })}
          </Badge>
        )}
      </summary>
      {isOutdated || showsPlace ? (
        <pre className={classes.quote} tabIndex={0} aria-label={say('The lines when the comment was written')}>
          <VisibleText text={text} />
        </pre>
      ) : null}
      <ol className={classes.comments}>
        {comments.map((comment) => (
          <ThreadComment key={comment.id} thread={thread} comment={comment} />
        ))}
      </ol>
      <ThreadActions thread={thread} onResolved={() => setOpen(false)} />
    </details>
  )
}

function ThreadComment({ thread, comment }: { thread: ThreadResource; comment: CommentResource }) {
  const { body } = comment
  const suggested = thread.side === 'after' ? splitSuggestion(body) : null
  const said = suggested?.rest ?? body
  return (
    <li>
      <CommentText comment={comment}>
        {said.trim() === '' ? null : <AnswerMarkdown text={said} sources={nothingLinked} />}
        {suggested === null ? null : <Suggestion thread={thread} comment={comment} lines={suggested.lines} />}
      </CommentText>
    </li>
  )
}

function ThreadActions({
  thread: { id: threadId, resolvedBy },
  onResolved,
}: {
  thread: ThreadResource
  onResolved(): void
}) {
  const { editor } = useReview()
  const [isReplying, setReplying] = useState(false)
  const place = { id: editor?.id ?? '', threadId }
  const resolve = useChange({
    send: (resolved: boolean) => resolveReviewThread(place, resolved),
    onDone: (_, resolved) => resolved && onResolved(),
    stale: ['viewPullRequest'],
    hasFailureToast: true,
  })
  const form = useForm({
    initial: { body: '' },
    send: ({ body }) => replyToReviewThread(place, body),
    next: () => ({ body: '' }),
    onDone: () => setReplying(false),
    stale: ['viewPullRequest'],
  })
  if (editor === null) return null
  if (isReplying) {
    return (
      <FormView
        form={form}
        action={say('Reply')}
        actions={<Button onClick={() => setReplying(false)}>{say('Cancel')}</Button>}
      >
        <TextAreaField
          {...form.field('body', say('The reply'))}
          label={say('Reply')}
          required
          autoFocus
          maxLength={commentCharsMax}
        />
      </FormView>
    )
  }
  return (
    <div className={classes.actions}>
      <Button size="small" onClick={() => setReplying(true)}>
        {say('Reply')}
      </Button>
      <Button size="small" isBusy={resolve.isPending} onClick={() => resolve.mutate(resolvedBy === null)}>
        {resolvedBy === null ? say('Resolve') : say('Reopen')}
      </Button>
    </div>
  )
}
