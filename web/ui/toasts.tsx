import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'
import classes from './toasts.module.css'
import { say } from '../words/say.ts'

/** One per page, so that code outside components can show toasts too. */
const manager = Toast.createToastManager()

export interface ToastMessage {
  title: string
  /** `danger` interrupts screen readers; other tones wait. */
  tone?: 'neutral' | 'danger'
  /** Offers to undo it for as long as the toast is shown. */
  onUndo?(): void
}

/** How long an action can be undone in its toast. */
const undoMs = 10_000

/** Reports success or failure of an action. Anything that must not be missed belongs on the page. */
export function showToast({ title, tone = 'neutral', onUndo }: ToastMessage): void {
  if (onUndo !== undefined) return showUndo(title, onUndo)
  manager.add({ id: title, title, type: tone, priority: tone === 'danger' ? 'high' : 'low', timeout: 6_000 })
}

/** Each action has its own toast, even if two have the same text. */
function showUndo(title: string, onUndo: () => void): void {
  const id = manager.add({
    title,
    timeout: undoMs,
    actionProps: {
      onClick: () => {
        manager.close(id)
        onUndo()
      },
    },
  })
}

/** Place of the toasts. Rendered once, around everything. */
export function ToastRegion() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={classes.viewport} aria-label={say('Messages')}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={classes.toast} data-toast data-tone={toast.type}>
      <Toast.Content className={classes.content}>
        <Toast.Title className={classes.title} />
        {toast.actionProps === undefined ? null : (
          <Toast.Action className={classes.undo} data-undo>
            {say('Undo')} <SecondsLeft from={undoMs / 1_000} />
          </Toast.Action>
        )}
        <Toast.Close render={<IconButton label={say('Close this message')} size="small" />}>
          <X size={15} aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

/** Not announced: a screen reader would count along. */
function SecondsLeft({ from }: { from: number }) {
  const [seconds, setSeconds] = useState(from)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((seconds) => Math.max(seconds - 1, 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className={classes.seconds} aria-hidden>
      {say('{seconds} s', { seconds })}
    </span>
  )
}
