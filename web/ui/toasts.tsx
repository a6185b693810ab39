import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { IconButton } from './button.tsx'
import classes from './toasts.module.css'

/** One per page, so that code outside components can show toasts too. */
const manager = Toast.createToastManager()

export interface ToastMessage {
  title: string
  /** `danger` interrupts screen readers; other tones wait. */
  tone?: 'neutral' | 'danger'
}

/** Reports success or failure of an action. Anything that must not be missed belongs on the page. */
export function showToast({ title, tone = 'neutral' }: ToastMessage): void {
  manager.add({ id: title, title, type: tone, priority: tone === 'danger' ? 'high' : 'low', timeout: 6_000 })
}

/** Place of the toasts. Rendered once, around everything. */
export function ToastRegion() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={classes.viewport} aria-label="Messages">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={classes.toast} data-tone={toast.type}>
      <Toast.Content className={classes.content}>
        <Toast.Title className={classes.title} />
        <Toast.Close render={<IconButton label="Close this message" size="small" />}>
          <X size={15} aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
