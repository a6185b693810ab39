import { countOf } from '../../../../../src/contract/count-of.ts'
import { Button } from '../../../../ui/button.tsx'
import { useReview } from '../review-context.ts'
import classes from './files.module.css'
import { useApplySuggestions } from './use-apply-suggestions.ts'

/** Applies the chosen suggestions together. */
export function SuggestionBatch() {
  const { batch, setBatch } = useReview()
  const apply = useApplySuggestions()
  if (batch.length === 0) return null
  return (
    <div className={classes.batch} role="region" aria-label="Chosen suggestions">
      <span>{countOf(batch.length, 'suggestion', 'suggestions')} chosen</span>
      <Button look="primary" size="small" isBusy={apply.isPending} onClick={() => apply.mutate(batch)}>
        Apply in one commit
      </Button>
      <Button size="small" onClick={() => setBatch([])}>
        Clear
      </Button>
    </div>
  )
}
