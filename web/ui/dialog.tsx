import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import classes from './dialog.module.css'
import { say } from '../words/say.ts'

export interface DialogProps {
  title: string
  description?: ReactNode
  isOpen: boolean
  onClose(): void
  /** Whether a click outside closes it. Not if input would be lost. */
  closesOutside?: boolean
  children: ReactNode
}

/** A modal dialog. Escape closes it and returns the focus. */
export function Dialog({ title, description, isOpen, onClose, closesOutside = true, children }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()} disablePointerDismissal={!closesOutside}>
      <Base.Portal>
        <Base.Backdrop className={classes.backdrop} />
        <Base.Viewport className={classes.viewport}>
          <Base.Popup className={classes.popup}>
            <div className={classes.head}>
              <Base.Title className={classes.title}>{title}</Base.Title>
              <Base.Close render={<IconButton label={say('Close')} size="small" />}>
                <X size={17} aria-hidden />
              </Base.Close>
            </div>
            {description === undefined ? null : (
              <Base.Description className={classes.description}>{description}</Base.Description>
            )}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** The buttons at the end of a dialog, the main action last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>
}
