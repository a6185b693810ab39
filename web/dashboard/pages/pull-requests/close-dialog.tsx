import type { PullRequestResource } from '../../../../src/contract/pull-requests.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { describeError } from '../../api/api-error.ts'
import { closePullRequest } from '../../api/pull-requests.ts'
import { useEndPullRequest } from './merge-dialog.tsx'

export interface CloseDialogProps {
  pullRequest: Pick<PullRequestResource, 'id' | 'number'> | null
  onClose(): void
}

export function CloseDialog({ pullRequest, onClose }: CloseDialogProps) {
  const close = useEndPullRequest((id: string) => closePullRequest(id), onClose)
  return (
    <ConfirmDialog
      title={`Close pull request #${pullRequest?.number ?? ''} without merging?`}
      action="Close without merging"
      isOpen={pullRequest !== null}
      isBusy={close.isPending}
      error={close.isError ? describeError(close.error) : null}
      onConfirm={() => pullRequest !== null && close.mutate(pullRequest.id)}
      onClose={onClose}
    >
      Its branch stays. A pull request that was closed cannot be opened again; another one can be opened for the branch.
    </ConfirmDialog>
  )
}
