import type { PullRequestResource } from '../../../../src/contract/pull-requests.ts'
import { closePullRequest } from '../../api/pull-requests.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useEndPullRequest } from './merge-dialog.tsx'

export interface CloseDialogProps {
  pullRequest: Pick<PullRequestResource, 'id' | 'number'> | null
  onClose(): void
}

export function CloseDialog({ pullRequest, onClose }: CloseDialogProps) {
  const close = useEndPullRequest((id: string) => closePullRequest(id), onClose)
  return (
    <ConfirmChange
      title={`Close pull request #${pullRequest?.number ?? ''} without merging?`}
      action="Close without merging"
      change={close}
      input={pullRequest?.id ?? null}
      onClose={onClose}
    >
      Its branch stays, and you can reopen it.
    </ConfirmChange>
  )
}
