import { useEffect, useEffectEvent } from 'react'
import { ConfirmDialog, type ConfirmDialogProps } from '../../ui/confirm-dialog.tsx'
import { describeError } from '../api/api-error.ts'
import type { Change } from './use-change.ts'

export interface ConfirmChangeProps<Input> extends Pick<ConfirmDialogProps, 'title' | 'action' | 'typed' | 'children'> {
  change: Change<Input>
  /** Subject of the question; null while the dialog is closed. */
  input: Input | null
  /** Whether the change can be undone, so that it is made without a question. Its failure is then shown in a toast. */
  isUndoable?: boolean
  onClose(): void
}

/** Confirms an irreversible change. Closes on success; on failure, stays open and shows the error. */
export function ConfirmChange<Input>(props: ConfirmChangeProps<Input>) {
  const { change, input, onClose, isUndoable = false, ...dialog } = props
  const changeAtOnce = useEffectEvent((input: Input) => {
    change.mutate(input)
    onClose()
  })
  useEffect(() => {
    if (isUndoable && input !== null) changeAtOnce(input)
  }, [isUndoable, input])
  return (
    <ConfirmDialog
      {...dialog}
      isOpen={input !== null && !isUndoable}
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
