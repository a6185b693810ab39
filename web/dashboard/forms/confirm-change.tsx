import { ConfirmDialog, type ConfirmDialogProps } from '../../ui/confirm-dialog.tsx'
import { describeError } from '../api/api-error.ts'
import type { Change } from './use-change.ts'

export interface ConfirmChangeProps<Input> extends Pick<ConfirmDialogProps, 'title' | 'action' | 'typed' | 'children'> {
  change: Change<Input>
  /** What is asked about; null while the dialog is closed. */
  input: Input | null
  onClose(): void
}

/** Asks before a change that cannot be undone. Closes once it is made, and stays open with the error if it fails. */
export function ConfirmChange<Input>({ change, input, onClose, ...dialog }: ConfirmChangeProps<Input>) {
  return (
    <ConfirmDialog
      {...dialog}
      isOpen={input !== null}
      isBusy={change.isPending}
      error={change.isError ? describeError(change.error) : null}
      onConfirm={() => input !== null && change.mutate(input, { onSuccess: onClose })}
      onClose={() => {
        change.reset()
        onClose()
      }}
    />
  )
}
