import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type MergeMethod,
  type PullRequestResource,
  writeMergeMessage,
} from '../../../../src/contract/pull-requests.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { describeError } from '../../api/api-error.ts'
import { mergePullRequest, revertPullRequest } from '../../api/pull-requests.ts'
import { hasRole, sessionQuery } from '../../api/session.ts'
import type { OperationId } from '../../api/call.ts'
import { useChange } from '../../forms/use-change.ts'
import { say, sayParts } from '../../../words/say.ts'

/** The pull request, at the commit that was reviewed. */
type MergedPullRequest = Pick<PullRequestResource, 'id' | 'number' | 'title' | 'hold' | 'head'> & {
  base: Pick<PullRequestResource['base'], 'branch'>
}

export function MergeDialog({ pullRequest, onClose }: { pullRequest: MergedPullRequest | null; onClose(): void }) {
  return (
    <Dialog
      title={say('Merge this pull request?')}
      isOpen={pullRequest !== null}
      onClose={onClose}
      closesOutside={false}
    >
      {pullRequest === null ? null : <MergeForm pullRequest={pullRequest} onClose={onClose} />}
    </Dialog>
  )
}

const methods: readonly { value: MergeMethod; label: string }[] = [
  { value: 'merge', label: say('Merge commit: keeps all commits') },
  { value: 'squash', label: say('Squash: one commit of all changes') },
]

function MergeForm({ pullRequest, onClose }: { pullRequest: MergedPullRequest; onClose(): void }) {
  const session = useQuery(sessionQuery)
  const [method, setMethod] = useState<MergeMethod>('merge')
  /** Null until it is edited. */
  const [edited, setMessage] = useState<string | null>(null)
  const [override, setOverride] = useState('')
  const { id, head, hold } = pullRequest
  const message = edited ?? writeMergeMessage(method, pullRequest)
  const merge = useChange({
    send: mergePullRequest,
    onDone: onClose,
    done: say('Merged. The sites that follow the branch are being synced.'),
    undo: (merged) => () => undoMerge(merged),
    stale: pullRequestQueries,
  })
  const isOwner = hasRole(session.data?.user, 'owner')
  const isReady = message.trim() !== '' && (hold === null || (isOwner && override.trim() !== ''))
  return (
    <>
      <p>
        {sayParts('{title} will be merged into {branch}, and the sites that follow this branch will be synced.', {
          title: (
            <strong>
              <VisibleText text={pullRequest.title} />
            </strong>
          ),
          branch: <code>{pullRequest.base.branch}</code>,
        })}
      </p>
      <SelectField<MergeMethod> label={say('How')} options={methods} value={method} onValueChange={setMethod} />
      <TextAreaField label={say('Message')} rows={2} maxLength={10_000} value={message} onValueChange={setMessage} />
      {hold === null ? null : (
        <Notice tone="warning">{isOwner ? hold : say('{hold} Only an owner can merge it.', { hold })}</Notice>
      )}
      {hold !== null && isOwner ? (
        <TextField
          label={say('Reason for merging anyway')}
          description={say('Kept as a comment on the pull request.')}
          maxLength={500}
          value={override}
          onValueChange={setOverride}
        />
      ) : null}
      {merge.isError ? <Notice tone="danger">{describeError(merge.error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>{say('Cancel')}</Button>
        <Button
          look="primary"
          disabled={!isReady}
          isBusy={merge.isPending}
          onClick={() => merge.mutate({ id, head: head.commit, override: override.trim(), method, message })}
        >
          {say('Merge')}
        </Button>
      </DialogActions>
    </>
  )
}

/** Opens the inverse pull request and merges it, unless a check holds that. */
async function undoMerge({ id }: PullRequestResource): Promise<PullRequestResource> {
  const revert = await revertPullRequest(id)
  const request = { id: revert.id, head: revert.head.commit, override: '', method: 'merge' } as const
  return mergePullRequest({ ...request, message: writeMergeMessage('merge', revert) })
}

/** Operations whose queries show a pull request. */
export const pullRequestQueries: readonly OperationId[] = [
  'listPullRequests',
  'getPullRequest',
  'viewPullRequest',
  'findJob',
  'listJobs',
  'listSites',
]
