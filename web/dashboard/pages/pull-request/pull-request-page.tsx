import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { linkButton } from '../../../ui/link-button.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { pullRequestViewQuery } from '../../api/pull-requests.ts'
import { hasRole, sessionQuery } from '../../api/session.ts'
import { usePageTitle } from '../../shell/current-place.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { AddressesSection } from './addresses-section.tsx'
import { AskAgentSection } from './ask-agent-section.tsx'
import { ChecksSection } from './checks-section.tsx'
import { CommitsSection } from './commits-section.tsx'
import { ConversationSection } from './conversation-section.tsx'
import { signInAddress } from './dashboard-address.ts'
import { DescriptionSection } from './description-section.tsx'
import { FilesSection } from './files/files-section.tsx'
import { OriginSection } from './origin-section.tsx'
import type { PullRequestAddress } from './pull-request-address.ts'
import { PullRequestDecision } from './pull-request-decision.tsx'
import { PullRequestHead } from './pull-request-head.tsx'
import { type LineDraft, type Review, ReviewContext } from './review-context.ts'
import { ReadersSection } from './readers-section.tsx'
import { ReviewSection } from './review-section.tsx'
import classes from './pull-request-page.module.css'
import { say } from '../../../words/say.ts'

/** A pull request of the built-in host, for anyone who has its address and is not signed in. */
export function PullRequestPage({ address }: { address: PullRequestAddress }) {
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <a className={classes.name} href="/">
          Docent
        </a>
        <a className={linkButton()} href={signInAddress()}>
          {say('Sign in')}
        </a>
      </header>
      <main className={classes.main}>
        <LoadedPullRequest address={address} />
      </main>
    </div>
  )
}

/** The same for members, within the shell. */
export function MemberPullRequestPage() {
  const { secret = '', number = '' } = useParams({ strict: false })
  return <LoadedPullRequest address={{ secret, number }} />
}

function LoadedPullRequest({ address }: { address: PullRequestAddress }) {
  const [ignoresWhitespace, setIgnoresWhitespace] = useState(false)
  const query = pullRequestViewQuery(address, ignoresWhitespace ? 'ignored' : 'shown')
  const view = useQuery({ ...query, placeholderData: keepPreviousData })
  const whitespace = { ignoresWhitespace, setIgnoresWhitespace }
  return (
    <Loaded query={view} skeleton={<Skeleton count={4} />}>
      {(pullRequest) => <PullRequest pullRequest={pullRequest} address={address} {...whitespace} />}
    </Loaded>
  )
}

/** One component per section. Side sections come first, because narrow pages show them first. */
function PullRequest(given: Pick<Review, 'pullRequest' | 'address' | 'ignoresWhitespace' | 'setIgnoresWhitespace'>) {
  const { pullRequest } = given
  const { title, number, repository, member } = pullRequest
  usePageTitle(say('{title} · Pull request #{number} · {repository}', { title, number, repository }))
  const session = useQuery(sessionQuery)
  const [draft, setDraft] = useState<LineDraft | null>(null)
  const [batch, setBatch] = useState<readonly string[]>([])
  const editor = hasRole(session.data?.user, 'editor') ? member : null
  return (
    <ReviewContext value={{ ...given, editor, draft, setDraft, batch, setBatch }}>
      <PullRequestHead pullRequest={pullRequest} />
      <div className={classes.columns}>
        <aside className={classes.aside}>
          <ChecksSection checks={pullRequest.checks} />
          <OriginSection />
          <AddressesSection />
          <CommitsSection commits={pullRequest.commits} />
        </aside>
        <div className={classes.sections}>
          <ReadersSection readers={pullRequest.readers} />
          <DescriptionSection pullRequest={pullRequest} />
          <FilesSection />
          <ConversationSection pullRequest={pullRequest} />
          <AskAgentSection />
          <ReviewSection />
          <PullRequestDecision pullRequest={pullRequest} />
        </div>
      </div>
    </ReviewContext>
  )
}
