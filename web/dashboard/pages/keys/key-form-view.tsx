import type { UseMutationResult } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ApiError, describeError } from '../../api/api-error.ts'
import classes from './create-key-dialog.module.css'
import { KeyFields, type KeyFieldsProps } from './key-fields.tsx'

export interface KeyFormViewProps extends Omit<KeyFieldsProps, 'error'> {
  save: Pick<UseMutationResult<unknown, unknown, void>, 'error' | 'isError' | 'isPending' | 'mutate'>
  /** What the button says. */
  action: string
  onCancel(): void
}

/** The form of a new key, and of one that is changed. */
export function KeyFormView({ save, action, onCancel, ...fields }: KeyFormViewProps) {
  const hasFieldErrors = save.error instanceof ApiError && save.error.details.length > 0
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate()
      }}
    >
      {save.isError && !hasFieldErrors ? <Notice tone="danger">{describeError(save.error)}</Notice> : null}
      <KeyFields {...fields} error={save.error} />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
