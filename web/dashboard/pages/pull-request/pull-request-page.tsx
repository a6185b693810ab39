import { useQuery } from '@tanstack/react-query'
import { countOf } from '../../../../src/contract/count-of.ts'
import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { linkButton } from '../../../ui/link-button.ts'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { AnswerMarkdown } from '../../answers/answer-markdown.tsx'
import { pullRequestViewQuery } from '../../api/pull-requests.ts'
import { sessionQuery } from '../../api/session.ts'
import { usePageTitle } from '../../shell/current-place.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { DiffView } from '../job/diff-view.tsx'
import { describePullRequestState } from '../jobs/job-state.ts'
import type { PullRequestAddress } from './pull-request-address.ts'
import { pullRequestsAddress, signInAddress } from './dashboard-address.ts'
import classes from './pull-request-page.module.css'
import { CommentForm, PullRequestDecision } from './pull-request-decision.tsx'

/** A pull request of the built-in host. Readable by anyone with the address, without signing in. */
export function PullRequestPage({ address }: { address: PullRequestAddress }) {
  const view = useQuery(pullRequestViewQuery(address))
  return (
    <div className={classes.page}>
      <Header />
      <main className={classes.main}>
        <Loaded query={view} skeleton={<Skeleton count={4} />}>
          {(pullRequest) => <PullRequest pullRequest={pullRequest} />}
        </Loaded>
      </main>
    </div>
  )
}

function Header() {
  const session = useQuery(sessionQuery)
  const { user = null, organization } = session.data ?? {}
  return (
    <header className={classes.header}>
      <a className={classes.name} href="/">
        Docent
      </a>
      {user === null || organization === undefined ? (
        <a className={linkButton()} href={signInAddress()}>
          Sign in
        </a>
      ) : (
        <a className={linkButton()} href={pullRequestsAddress(organization)}>
          Pull requests
        </a>
      )}
    </header>
  )
}

const nothingLinked = [] as const

function PullRequest({ pullRequest }: { pullRequest: PullRequestViewResource }) {
  const { title, number, repository, body, checks, commits, comments } = pullRequest
  usePageTitle(`${title} · Pull request #${number} · ${repository}`)
  return (
    <>
      <div className={classes.head}>
        <h1>
          <VisibleText text={title} /> <span className={classes.muted}>#{number}</span>
        </h1>
        <Facts pullRequest={pullRequest} />
      </div>
      <Section title="Description">
        {body.trim() === '' ? (
          <p className={classes.muted}>No description.</p>
        ) : (
          <AnswerMarkdown text={body} sources={nothingLinked} />
        )}
      </Section>
      {checks.length === 0 ? null : <Checks checks={checks} />}
      <Commits commits={commits} />
      <Files pullRequest={pullRequest} />
      <Section title={`Comments (${comments.length})`}>
        {comments.length === 0 ? <p className={classes.muted}>No comments yet.</p> : null}
        <ol className={classes.rows}>
          {comments.map(({ author, createdAt, body }) => (
            <li key={`${createdAt} ${author}`}>
              <p className={classes.muted}>
                <VisibleText text={author} />, <TimeText time={createdAt} />
              </p>
              <AnswerMarkdown text={body} sources={nothingLinked} />
            </li>
          ))}
        </ol>
        <CommentForm pullRequest={pullRequest} />
      </Section>
      <PullRequestDecision pullRequest={pullRequest} />
    </>
  )
}

function Facts({ pullRequest }: { pullRequest: PullRequestViewResource }) {
  const { tone, label } = describePullRequestState(pullRequest)
  const { headBranch, baseBranch, repository, createdAt } = pullRequest
  return (
    <p className={classes.muted}>
      <Badge tone={tone}>{label}</Badge> <code>{headBranch}</code> into <code>{baseBranch}</code> of {repository},
      opened <TimeText time={createdAt} />
    </p>
  )
}

const checkStates: Readonly<Record<PullRequestViewResource['checks'][number]['state'], { tone: Tone; label: string }>> =
  {
    passed: { tone: 'success', label: 'Passed' },
    warning: { tone: 'warning', label: 'Warning' },
    failed: { tone: 'danger', label: 'Failed' },
  }

function Checks({ checks }: Pick<PullRequestViewResource, 'checks'>) {
  return (
    <Section title="Checks">
      <ul className={classes.rows}>
        {checks.map(({ name, state, summary }) => (
          <li key={name}>
            <Badge tone={checkStates[state].tone}>{checkStates[state].label}</Badge>{' '}
            <strong>
              <VisibleText text={name} />
            </strong>
            {summary === '' ? null : (
              <p className={classes.muted}>
                <VisibleText text={summary} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Commits({ commits }: Pick<PullRequestViewResource, 'commits'>) {
  return (
    <Section title={`Commits (${commits.length})`}>
      {commits.length === 0 ? <p className={classes.muted}>The base branch contains all commits.</p> : null}
      <ol className={classes.rows}>
        {commits.map(({ commit, title, authorName, authoredAt }, index) => (
          <li key={index}>
            <code>{commit}</code> <VisibleText text={title} />
            <p className={classes.muted}>
              <VisibleText text={authorName} />, <TimeText time={authoredAt} />
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Files({ pullRequest: { files, filesTotal } }: { pullRequest: PullRequestViewResource }) {
  const more = filesTotal - files.length
  return (
    <Section title={`Files (${filesTotal})`}>
      <DiffView files={files} />
      {more === 0 ? null : (
        <p className={classes.muted}>
          {countOf(more, 'more file', 'more files')} not shown. Fetch the branch with git to view all changes.
        </p>
      )}
    </Section>
  )
}
