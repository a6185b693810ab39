import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { describeHold, type PullRequestResource } from '../../../../src/contract/pull-requests.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { describeError } from '../../api/api-error.ts'
import { mergePullRequest } from '../../api/pull-requests.ts'
import { hasRole, sessionQuery } from '../../api/session.ts'
import type { OperationId } from '../../api/call.ts'
import { useChange } from '../../forms/use-change.ts'

/** The pull request, at the commit that was reviewed. */
type MergedPullRequest = Pick<PullRequestResource, 'id' | 'title' | 'draft' | 'checks' | 'head'> & {
  base: Pick<PullRequestResource['base'], 'branch'>
}

export function MergeDialog({ pullRequest, onClose }: { pullRequest: MergedPullRequest | null; onClose(): void }) {
  const session = useQuery(sessionQuery)
  const [override, setOverride] = useState('')
  const merge = useEndPullRequest(
    ({ id, head }: MergedPullRequest) => mergePullRequest({ id, head: head.commit, override: override.trim() }),
    onClose,
  )
  const hold = pullRequest === null ? null : describeHold(pullRequest)
  const isOwner = hasRole(session.data?.user, 'owner')
  const isReady = hold === null || (isOwner && override.trim() !== '')
  return (
    <Dialog title="Merge this pull request?" isOpen={pullRequest !== null} onClose={onClose}>
      {pullRequest === null ? null : (
        <>
          <p>
            <strong>
              <VisibleText text={pullRequest.title} />
            </strong>{' '}
            will be merged into <code>{pullRequest.base.branch}</code>, and the sites that follow this branch will be
            synced.
          </p>
          {hold === null ? null : (
            <Notice tone="warning">{isOwner ? hold : `${hold} Only an owner can merge it.`}</Notice>
          )}
          {hold !== null && isOwner ? (
            <TextField
              label="Reason to merge it all the same"
              description="Kept as a comment on the pull request."
              maxLength={500}
              value={override}
              onValueChange={setOverride}
            />
          ) : null}
          {merge.isError ? <Notice tone="danger">{describeError(merge.error)}</Notice> : null}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="primary"
              disabled={!isReady}
              isBusy={merge.isPending}
              onClick={() => merge.mutate(pullRequest)}
            >
              Merge
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

const ends = {
  merged: 'Merged. The sites that follow the branch are being synced.',
  closed: 'Closed without merging.',
  open: 'The pull request is still open.',
} as const

/** Operations whose queries show a pull request. */
const shows: readonly OperationId[] = [
  'listPullRequests',
  'getPullRequest',
  'viewPullRequest',
  'findJob',
  'listJobs',
  'listSites',
]

export function useEndPullRequest<Input>(end: (input: Input) => Promise<PullRequestResource>, onDone: () => void) {
  return useChange({ send: end, onDone, done: ({ state }) => ends[state], stale: shows })
}
