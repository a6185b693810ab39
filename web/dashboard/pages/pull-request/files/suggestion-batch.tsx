import { Button } from '../../../../ui/button.tsx'
import { useReview } from '../review-context.ts'
import classes from './files.module.css'
import { useApplySuggestions } from './use-apply-suggestions.ts'
import { say, sayCount } from '../../../../words/say.ts'

/** Applies the chosen suggestions together. */
export function SuggestionBatch() {
  const { batch, setBatch } = useReview()
  const apply = useApplySuggestions()
  if (batch.length === 0) return null
  return (
    <div className={classes.batch} role="region" aria-label={say('Chosen suggestions')}>
      <span>{sayCount(batch.length, '{count} suggestion chosen', '{count} suggestions chosen')}</span>
      <Button look="primary" size="small" isBusy={apply.isPending} onClick={() => apply.mutate(batch)}>
        {say('Apply in one commit')}
      </Button>
      <Button size="small" onClick={() => setBatch([])}>
        {say('Clear')}
      </Button>
    </div>
  )
}
