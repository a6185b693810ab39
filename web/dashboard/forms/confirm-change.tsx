import { ConfirmDialog, type ConfirmDialogProps } from '../../ui/confirm-dialog.tsx'
import { describeError } from '../api/api-error.ts'
import type { Change } from './use-change.ts'

export interface ConfirmChangeProps<Input> extends Pick<ConfirmDialogProps, 'title' | 'action' | 'typed' | 'children'> {
  change: Change<Input>
  /** Subject of the question; null while the dialog is closed. */
  input: Input | null
  onClose(): void
}

/** Confirms an irreversible change. Closes on success; on failure, stays open and shows the error. */
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
