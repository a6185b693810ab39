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
import { say, sayParts } from '../../../words/say.ts'

interface Props {
  pullRequest: PullRequestViewResource
}

/** Id of the section that links on the page jump to. */
export const decisionId = 'decision'

/** Actions for a pull request, and its outcome. */
export function PullRequestDecision({ pullRequest }: Props) {
  const isOpen = pullRequest.state === 'open'
  return (
    <div id={decisionId}>
      <Section title={isOpen ? say('Merge or close') : say('Outcome')}>
        {isOpen ? <Obstacle pullRequest={pullRequest} /> : <Outcome pullRequest={pullRequest} />}
        {isOpen && pullRequest.hold !== null ? <Notice tone="warning">{pullRequest.hold}</Notice> : null}
        <Choices pullRequest={pullRequest} />
      </Section>
    </div>
  )
}

function Outcome({ pullRequest: { state, endedBy, endedAt, baseBranch, mergeCommit, member } }: Props) {
  const session = useQuery(sessionQuery)
  const isShownToReaders = state === 'merged' && member !== null && session.data !== undefined
  return (
    <p>
      {state === 'merged'
        ? sayParts('{endedBy} merged it into {baseBranch} as {mergeCommit}', {
            endedBy: endedBy ?? say('Someone'),
            baseBranch: <code>{baseBranch}</code>,
            mergeCommit: <code>{mergeCommit}</code>,
          })
        : say('{endedBy} closed it without merging', { endedBy: endedBy ?? say('Someone') })}
      {endedAt === null ? null : (
        <>
          , <TimeText time={endedAt} />
        </>
      )}
      .{' '}
      {isShownToReaders ? (
        <a href={pullRequestsAddress(session.data.organization)}>{say('Check whether it is published')}</a>
      ) : null}
    </p>
  )
}

function Obstacle({ pullRequest: { mergeability, baseBranch, headBranch } }: Props) {
  const base = <code>{baseBranch}</code>
  switch (mergeability.kind) {
    case 'mergeable':
      return <p>{sayParts('It merges cleanly into {base}.', { base })}</p>
    case 'conflict':
      return (
        <>
          <p>
            {sayParts(
              'It cannot be merged: {base} changes the same lines of these files. Merge {base} into {headBranch}, resolve the conflicts, and push.',
              { base, headBranch: <code>{headBranch}</code> },
            )}
          </p>
          <ul className={classes.conflicts} aria-label={say('Conflicting files')}>
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
      return <p>{sayParts('There is nothing to merge: {base} already contains all commits.', { base })}</p>
    case 'branch-gone':
      return (
        <p>
          {sayParts('The branch {headBranch} was deleted. Push it again to merge it.', {
            headBranch: <code>{headBranch}</code>,
          })}
        </p>
      )
    case 'unrelated':
      return <p>{say('It cannot be merged: the branches have no common history.')}</p>
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
        {sayParts('Only signed-in owners and editors can merge, close or comment. <link>Sign in</link> to do so.', {
          link: (text) => <a href={signInAddress()}>{text}</a>,
        })}
      </p>
    )
  }
  return (
    <p>
      {say(
        'As a viewer you can read this pull request, but not merge, close or comment. An owner can change your role.',
      )}
    </p>
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
          {say('Merge …')}
        </Button>
      ) : null}
      <ChangeButton
        label={draft ? say('Ready for review') : say('Back to draft')}
        send={() => setPullRequestDraft(editor.id, !draft)}
        done={draft ? say('Ready for review.') : say('A draft again.')}
      />
      {isBehind && mergeability.kind === 'mergeable' ? (
        <ChangeButton
          label={say('Update from {baseBranch}', { baseBranch })}
          send={() => updatePullRequestBranch(editor.id, editor.headCommit)}
          done={say('{baseBranch} is merged into the branch.', { baseBranch })}
        />
      ) : null}
      <Button isBusy={close.isPending} onClick={() => close.mutate(editor.id)}>
        {say('Close without merging')}
      </Button>
      <MergeDialog pullRequest={isMerging ? read : null} onClose={() => setMerging(false)} />
    </>
  )
}

function ReopenButton({ editor }: ChoiceProps) {
  return <ChangeButton label={say('Reopen')} send={() => reopenPullRequest(editor.id)} done={say('Open again.')} />
}

function RevertButton({ editor }: ChoiceProps) {
  const follow = ({ url }: PullRequestResource) => location.assign(new URL(url).pathname)
  return (
    <ChangeButton
      label={say('Revert')}
      send={() => revertPullRequest(editor.id)}
      done={say('Undone in a new pull request.')}
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
