import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PullRequestResource } from '../../../../src/contract/pull-requests.ts'
import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import {
  reopenPullRequest,
  revertPullRequest,
  setPullRequestDraft,
  updatePullRequestBranch,
} from '../../api/pull-requests.ts'
import { sessionQuery } from '../../api/session.ts'
import { useChange } from '../../forms/use-change.ts'
import { VisibleText } from '../../shell/visible-text.tsx'
import { MergeDialog, pullRequestQueries } from '../pull-requests/merge-dialog.tsx'
import { useClosePullRequest } from '../pull-requests/use-close-pull-request.ts'
import classes from './pull-request-page.module.css'
import { useReview } from './review-context.ts'
import { pullRequestsAddress, signInAddress } from './dashboard-address.ts'

interface Props {
  pullRequest: PullRequestViewResource
}

/** Actions for a pull request, and its outcome. */
export function PullRequestDecision({ pullRequest }: Props) {
  const isOpen = pullRequest.state === 'open'
  return (
    <Section title={isOpen ? 'Merge or close' : 'Outcome'}>
      {isOpen ? <Obstacle pullRequest={pullRequest} /> : <Outcome pullRequest={pullRequest} />}
      {isOpen && pullRequest.hold !== null ? <Notice tone="warning">{pullRequest.hold}</Notice> : null}
      <Choices pullRequest={pullRequest} />
    </Section>
  )
}

function Outcome({ pullRequest: { state, endedBy, endedAt, baseBranch, mergeCommit, member } }: Props) {
  const session = useQuery(sessionQuery)
  const isShownToReaders = state === 'merged' && member !== null && session.data !== undefined
  return (
    <p>
      {endedBy ?? 'Someone'}{' '}
      {state === 'merged' ? (
        <>
          merged it into <code>{baseBranch}</code> as <code>{mergeCommit}</code>
        </>
      ) : (
        'closed it without merging'
      )}
      {endedAt === null ? null : (
        <>
          , <TimeText time={endedAt} />
        </>
      )}
      .{' '}
      {isShownToReaders ? (
        <a href={pullRequestsAddress(session.data.organization)}>Check whether it is published</a>
      ) : null}
    </p>
  )
}

function Obstacle({ pullRequest: { mergeability, baseBranch, headBranch } }: Props) {
  const base = <code>{baseBranch}</code>
  switch (mergeability.kind) {
    case 'mergeable':
      return <p>It merges cleanly into {base}.</p>
    case 'conflict':
      return (
        <>
          <p>
            It cannot be merged: {base} changes the same lines of these files. Merge {base} into{' '}
            <code>{headBranch}</code>, resolve the conflicts, and push.
          </p>
          <ul className={classes.conflicts} aria-label="Conflicting files">
            {mergeability.files.map((file) => (
              <li key={file}>
                <code>
                  <VisibleText text={file} />
                </code>
              </li>
            ))}
          </ul>
        </>
      )
    case 'nothing-to-merge':
      return <p>There is nothing to merge: {base} already contains all commits.</p>
    case 'branch-gone':
      return (
        <p>
          The branch <code>{headBranch}</code> was deleted. Push it again to merge it.
        </p>
      )
    case 'unrelated':
      return <p>It cannot be merged: the branches have no common history.</p>
    case 'ended':
      return null
  }
}

function Choices({ pullRequest }: Props) {
  const { editor } = useReview()
  const { member, state } = pullRequest
  if (editor !== null) {
    const choices = { open: OpenChoices, merged: RevertButton, closed: ReopenButton }
    const Shown = choices[state]
    return (
      <div className={classes.choices}>
        <Shown pullRequest={pullRequest} editor={editor} />
      </div>
    )
  }
  if (state !== 'open') return null
  if (member === null) {
    return (
      <p>
        Only signed-in owners and editors can merge, close or comment. <a href={signInAddress()}>Sign in</a> to do so.
      </p>
    )
  }
  return (
    <p>As a viewer you can read this pull request, but not merge, close or comment. An owner can change your role.</p>
  )
}

interface ChoiceProps extends Props {
  editor: { id: string; headCommit: string }
}

function OpenChoices({ pullRequest, editor }: ChoiceProps) {
  const [isMerging, setMerging] = useState(false)
  const close = useClosePullRequest()
  const { mergeability, baseBranch, headBranch, draft, isBehind } = pullRequest
  const read = {
    ...pullRequest,
    id: editor.id,
    base: { branch: baseBranch },
    head: { branch: headBranch, commit: editor.headCommit },
  }
  return (
    <>
      {mergeability.kind === 'mergeable' ? (
        <Button look="primary" onClick={() => setMerging(true)}>
          Merge …
        </Button>
      ) : null}
      <ChangeButton
        label={draft ? 'Ready for review' : 'Back to draft'}
        send={() => setPullRequestDraft(editor.id, !draft)}
        done={draft ? 'Ready for review.' : 'A draft again.'}
      />
      {isBehind && mergeability.kind === 'mergeable' ? (
        <ChangeButton
          label={`Update from ${baseBranch}`}
          send={() => updatePullRequestBranch(editor.id, editor.headCommit)}
          done={`${baseBranch} is merged into the branch.`}
        />
      ) : null}
      <Button isBusy={close.isPending} onClick={() => close.mutate(editor.id)}>
        Close without merging
      </Button>
      <MergeDialog pullRequest={isMerging ? read : null} onClose={() => setMerging(false)} />
    </>
  )
}

function ReopenButton({ editor }: ChoiceProps) {
  return <ChangeButton label="Reopen" send={() => reopenPullRequest(editor.id)} done="Open again." />
}

function RevertButton({ editor }: ChoiceProps) {
  const follow = ({ url }: PullRequestResource) => location.assign(new URL(url).pathname)
  return (
    <ChangeButton
      label="Revert"
      send={() => revertPullRequest(editor.id)}
      done="Undone in a new pull request."
      onDone={follow}
    />
  )
}

interface ChangeButtonProps {
  label: string
  send(): Promise<PullRequestResource>
  /** Shown after success. */
  done: string
  onDone?(changed: PullRequestResource): void
}

function ChangeButton({ label, send, done, onDone }: ChangeButtonProps) {
  const stale = pullRequestQueries
  const change = useChange({ send, done, stale, hasFailureToast: true, ...(onDone && { onDone }) })
  return (
    <Button isBusy={change.isPending} onClick={() => change.mutate()}>
      {label}
    </Button>
  )
}
