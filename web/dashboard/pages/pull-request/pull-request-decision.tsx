import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { hasRole, sessionQuery } from '../../api/session.ts'
import { VisibleText } from '../../shell/visible-text.tsx'
import { CloseDialog } from '../pull-requests/close-dialog.tsx'
import { MergeDialog } from '../pull-requests/merge-dialog.tsx'
import classes from './pull-request-page.module.css'
import { pullRequestsAddress, signInAddress } from './dashboard-address.ts'

interface Props {
  pullRequest: PullRequestViewResource
}

/** Actions for an open pull request, or its outcome. */
export function PullRequestDecision({ pullRequest }: Props) {
  const isOpen = pullRequest.state === 'open'
  return (
    <Section title={isOpen ? 'Merge or close' : 'Outcome'}>
      {isOpen ? (
        <>
          <Obstacle pullRequest={pullRequest} />
          <Choices pullRequest={pullRequest} />
        </>
      ) : (
        <Outcome pullRequest={pullRequest} />
      )}
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
  const session = useQuery(sessionQuery)
  const [asks, setAsks] = useState<'merge' | 'close' | null>(null)
  const { member, mergeability, baseBranch, headBranch } = pullRequest
  if (member === null) {
    return (
      <p>
        Only signed-in owners and editors can merge, close or comment. <a href={signInAddress()}>Sign in</a> to do so.
      </p>
    )
  }
  if (!hasRole(session.data?.user, 'editor')) {
    return (
      <p>As a viewer you can read this pull request, but not merge, close or comment. An owner can change your role.</p>
    )
  }
  const read = {
    ...pullRequest,
    id: member.id,
    base: { branch: baseBranch },
    head: { branch: headBranch, commit: member.headCommit },
  }
  return (
    <div className={classes.choices}>
      {mergeability.kind === 'mergeable' ? (
        <Button look="primary" onClick={() => setAsks('merge')}>
          Merge …
        </Button>
      ) : null}
      <Button onClick={() => setAsks('close')}>Close without merging …</Button>
      <MergeDialog pullRequest={asks === 'merge' ? read : null} onClose={() => setAsks(null)} />
      <CloseDialog pullRequest={asks === 'close' ? read : null} onClose={() => setAsks(null)} />
    </div>
  )
}
