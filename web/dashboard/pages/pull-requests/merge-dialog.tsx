import type { PullRequestResource } from '../../../../src/contract/pull-requests.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { describeError } from '../../api/api-error.ts'
import { mergePullRequest } from '../../api/pull-requests.ts'
import type { OperationId } from '../../api/call.ts'
import { useChange } from '../../forms/use-change.ts'

/** The pull request, at the commit that was reviewed. */
type MergedPullRequest = Pick<PullRequestResource, 'id' | 'title' | 'draft' | 'checks' | 'head'> & {
  base: Pick<PullRequestResource['base'], 'branch'>
}

export function MergeDialog({ pullRequest, onClose }: { pullRequest: MergedPullRequest | null; onClose(): void }) {
  const merge = useEndPullRequest((each: MergedPullRequest) => mergePullRequest(each.id, each.head.commit), onClose)
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
          {pullRequest.draft ? (
            <Notice tone="warning">This is a draft: its author considers it unfinished.</Notice>
          ) : null}
          {pullRequest.checks.some(({ state }) => state === 'failed') ? (
            <Notice tone="warning">A check failed. Review it on the pull request page first.</Notice>
          ) : null}
          {merge.isError ? <Notice tone="danger">{describeError(merge.error)}</Notice> : null}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" isBusy={merge.isPending} onClick={() => merge.mutate(pullRequest)}>
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
