import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { say } from '../../words/say.ts'

/** Confirms leaving with unsaved changes: by a link, the back button, or closing the tab. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      title={say('Leave without saving?')}
      action={say('Leave')}
      isOpen={status === 'blocked'}
      isBusy={false}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {say('Your changes on this page have not been saved.')}
    </ConfirmDialog>
  )
}
