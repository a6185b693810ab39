import { parsePatch } from '../../../../../src/contract/parse-patch.ts'
import { writeSuggestion, commentCharsMax } from '../../../../../src/contract/pull-request-review.ts'
import { Button } from '../../../../ui/button.tsx'
import { TextAreaField, TextField } from '../../../../ui/text-field.tsx'
import { startReviewThread } from '../../../api/pull-requests.ts'
import { FormView } from '../../../forms/form-view.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { type LineDraft, useReview } from '../review-context.ts'
import classes from './files.module.css'
import { say } from '../../../../words/say.ts'

/** The form of a comment on lines. What is written stays when other lines are chosen. */
export function LineComment({ draft, patch }: { draft: LineDraft; patch: string }) {
  const { editor, setDraft } = useReview()
  const { path, side, firstLine, lastLine, body } = draft
  const form = useForm({
    initial: {},
    send: () => {
      const place = { path, side, line: lastLine, startLine: firstLine, head: editor?.headCommit ?? '' }
      return startReviewThread(editor?.id ?? '', { ...place, body })
    },
    onDone: () => setDraft(null),
    stale: ['viewPullRequest'],
  })
  const suggest = () => {
    const suggestion = writeSuggestion(readLines(patch, draft))
    setDraft({ ...draft, body: body.trim() === '' ? suggestion : `${body.trimEnd()}\n\n${suggestion}` })
  }
  return (
    <div className={classes.form}>
      <FormView
        form={form}
        action={say('Comment')}
        actions={
          <>
            {side === 'after' ? <Button onClick={suggest}>{say('Suggest a change')}</Button> : null}
            <Button look="quiet" onClick={() => setDraft(null)}>
              {say('Cancel')}
            </Button>
          </>
        }
      >
        <TextAreaField
          {...form.field('body' as never, say('The comment'))}
          label={
            firstLine === lastLine
              ? say('Comment on line {lastLine}', { lastLine })
              : say('Comment on lines {firstLine} to {lastLine}', { firstLine, lastLine })
          }
          description={say('Supports Markdown.')}
          required
          autoFocus
          rows={4}
          maxLength={commentCharsMax}
          value={body}
          onValueChange={(text) => setDraft({ ...draft, body: text })}
        />
        <TextField
          {...form.field('startLine' as never, say('The first line'))}
          label={say('From line')}
          type="number"
          className={classes.firstLine}
          min={Math.max(1, lastLine - 199)}
          max={lastLine}
          value={String(firstLine)}
          onValueChange={(text) => setDraft({ ...draft, firstLine: Math.max(1, Math.min(Number(text), lastLine)) })}
        />
      </FormView>
    </div>
  )
}

/** The lines that a suggestion starts from, as far as the difference shows them. */
function readLines(patch: string, { firstLine, lastLine }: LineDraft): string {
  const lines = parsePatch(patch).flatMap((hunk) => hunk.lines)
  const own = lines.filter(({ after }) => after !== null && after >= firstLine && after <= lastLine)
  return own.map(({ text }) => text).join('\n')
}
