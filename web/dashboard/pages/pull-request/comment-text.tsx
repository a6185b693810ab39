import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { commentCharsMax, type CommentResource } from '../../../../src/contract/pull-request-review.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { deletePullRequestComment, updatePullRequestComment } from '../../api/pull-requests.ts'
import { hasRole, sessionQuery } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useChange } from '../../forms/use-change.ts'
import { useForm } from '../../forms/use-form.ts'
import { VisibleText } from '../../shell/visible-text.tsx'
import classes from './comment-text.module.css'
import { useReview } from './review-context.ts'
import { say, sayParts } from '../../../words/say.ts'

interface Props {
  comment: CommentResource
  /** The text as it is shown. */
  children: ReactNode
}

const stale = ['viewPullRequest'] as const

/** A comment with its author, and what the member may do to it. */
export function CommentText({ comment, children }: Props) {
  const { id, author, authorId, createdAt, editedAt, appliedIn } = comment
  const { editor } = useReview()
  const session = useQuery(sessionQuery)
  const [isEditing, setEditing] = useState(false)
  const isChangeable = editor !== null && authorId !== null && appliedIn === null
  const isOwn = isChangeable && authorId === `user:${session.data?.user?.id}`
  return (
    <>
      <div className={classes.head}>
        <p className={classes.author}>
          <VisibleText text={author} />, <TimeText time={createdAt} />
          {editedAt === null ? null : (
            <>{sayParts(', edited {editedAt}', { editedAt: <TimeText time={editedAt} /> })}</>
          )}
        </p>
        {isOwn && !isEditing ? (
          <Button
            size="small"
            look="quiet"
            onClick={() => setEditing(true)}
            aria-label={say('Edit comment by {author}', { author })}
          >
            {say('Edit')}
          </Button>
        ) : null}
        {isOwn || (isChangeable && hasRole(session.data?.user, 'owner')) ? (
          <DeleteComment pullRequestId={editor.id} id={id} author={author} />
        ) : null}
      </div>
      {isEditing && editor !== null ? (
        <EditForm pullRequestId={editor.id} comment={comment} onEnd={() => setEditing(false)} />
      ) : (
        children
      )}
    </>
  )
}

interface EditProps {
  pullRequestId: string
  comment: CommentResource
  onEnd(): void
}

function EditForm({ pullRequestId, comment: { id, body }, onEnd }: EditProps) {
  const form = useForm({
    initial: { body },
    send: (values: { body: string }) => updatePullRequestComment(pullRequestId, id, values.body),
    onDone: onEnd,
    stale,
  })
  return (
    <FormView form={form} action={say('Save')} actions={<Button onClick={onEnd}>{say('Cancel')}</Button>}>
      <TextAreaField
        {...form.field('body', say('The comment'))}
        label={say('Comment')}
        required
        autoFocus
        maxLength={commentCharsMax}
      />
    </FormView>
  )
}

function DeleteComment({ pullRequestId, id, author }: { pullRequestId: string; id: string; author: string }) {
  const [isOpen, setOpen] = useState(false)
  const remove = useChange({
    send: () => deletePullRequestComment(pullRequestId, id),
    onDone: () => setOpen(false),
    stale,
    hasFailureToast: true,
  })
  return (
    <>
      <Button
        size="small"
        look="quiet"
        onClick={() => setOpen(true)}
        aria-label={say('Delete comment by {author}', { author })}
      >
        {say('Delete')}
      </Button>
      <ConfirmDialog
        title={say('Delete this comment?')}
        action={say('Delete')}
        isOpen={isOpen}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setOpen(false)}
      >
        {say('It cannot be restored.')}
      </ConfirmDialog>
    </>
  )
}
