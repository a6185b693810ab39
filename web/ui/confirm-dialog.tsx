import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { DialogActions } from './dialog.tsx'
import classes from './dialog.module.css'
import { joinClasses } from './join-classes.ts'
import { Notice } from './notice.tsx'
import { TextField } from './text-field.tsx'
import { say } from '../words/say.ts'

export interface ConfirmDialogProps {
  /** A question: “Revoke key Website?” */
  title: string
  /** The consequences, and whether they can be undone. */
  children: ReactNode
  /** The verb of the title. */
  action: string
  isOpen: boolean
  isBusy: boolean
  error?: string | null
  /** Text that must be typed first, for especially destructive actions. */
  typed?: { label: string; text: string }
  onConfirm(): void
  onClose(): void
}

/** Confirms an irreversible action. Initially focuses Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, isOpen, isBusy, error = null, typed, onConfirm, onClose } = props
  const [text, setText] = useState('')
  const mayConfirm = typed === undefined || text.trim() === typed.text
  useEffect(() => {
    if (!isOpen) setText('')
  }, [isOpen])
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={classes.backdrop} />
        <AlertDialog.Viewport className={classes.viewport}>
          <AlertDialog.Popup className={joinClasses(classes.popup, classes.small)}>
            <AlertDialog.Title className={classes.title}>{title}</AlertDialog.Title>
            <AlertDialog.Description className={classes.description}>{children}</AlertDialog.Description>
            {error === null ? null : <Notice tone="danger">{error}</Notice>}
            {typed === undefined ? null : (
              <TextField
                label={typed.label}
                autoComplete="off"
                spellCheck={false}
                value={text}
                onValueChange={setText}
                onKeyDown={({ key }) => key === 'Enter' && mayConfirm && !isBusy && onConfirm()}
              />
            )}
            <DialogActions>
              <AlertDialog.Close render={<Button />}>{say('Cancel')}</AlertDialog.Close>
              <Button look="danger" isBusy={isBusy} disabled={!mayConfirm} onClick={onConfirm}>
                {action}
              </Button>
            </DialogActions>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
