import { parsePatch, type PatchLine } from '../../../../../src/contract/parse-patch.ts'
import type { CommentResource, ThreadResource } from '../../../../../src/contract/pull-request-review.ts'
import { Button } from '../../../../ui/button.tsx'
import diffClasses from '../../../../ui/diff.module.css'
import { LineText, signs } from '../../job/diff-view.tsx'
import { useReview } from '../review-context.ts'
import classes from './files.module.css'
import { useApplySuggestions } from './use-apply-suggestions.ts'
import { say, sayParts } from '../../../../words/say.ts'

interface Props {
  thread: ThreadResource
  comment: CommentResource
  lines: readonly string[]
}

/** A suggested change, which is applied alone or with others. */
export function Suggestion({ thread, comment: { id, appliedIn }, lines }: Props) {
  const { pullRequest, editor, batch, setBatch } = useReview()
  const apply = useApplySuggestions()
  const isApplicable = editor !== null && pullRequest.state === 'open' && !thread.isOutdated && appliedIn === null
  const isChosen = batch.includes(id)
  return (
    <div className={classes.suggestion}>
      <table className={diffClasses.diff} aria-label={say('Suggested change')}>
        <tbody>
          {compare(thread.text, lines).map((line, index) => (
            <tr key={index} className={diffClasses[line.kind]}>
              <td className={diffClasses.line} data-sign={signs[line.kind]}>
                <LineText line={line} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {appliedIn === null ? null : (
        <p className={classes.author}>
          {sayParts('Applied in {appliedIn}', { appliedIn: <code>{appliedIn.slice(0, 7)}</code> })}
        </p>
      )}
      {isApplicable ? (
        <div className={classes.actions}>
          <Button size="small" isBusy={apply.isPending} onClick={() => apply.mutate([id])}>
            {say('Apply')}
          </Button>
          <Button
            size="small"
            aria-pressed={isChosen}
            onClick={() => setBatch(isChosen ? batch.filter((each) => each !== id) : [...batch, id])}
          >
            {isChosen ? say('Remove from batch') : say('Add to batch')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function compare(text: string, lines: readonly string[]): PatchLine[] {
  const removed = text.split('\n').map((line) => `-${line}\n`)
  const added = lines.map((line) => `+${line}\n`)
  return parsePatch(`@@ -1 +1 @@\n${removed.join('')}${added.join('')}`).flatMap((hunk) => hunk.lines)
}
