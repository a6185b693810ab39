import { useQuery } from '@tanstack/react-query'
import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { linkButton } from '../../../ui/link-button.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { pullRequestViewQuery } from '../../api/pull-requests.ts'
import { sessionQuery } from '../../api/session.ts'
import { usePageTitle } from '../../shell/current-place.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { ChecksSection } from './checks-section.tsx'
import { CommitsSection } from './commits-section.tsx'
import { ConversationSection } from './conversation-section.tsx'
import { pullRequestsAddress, signInAddress } from './dashboard-address.ts'
import { DescriptionSection } from './description-section.tsx'
import { FilesSection } from './files-section.tsx'
import type { PullRequestAddress } from './pull-request-address.ts'
import { PullRequestDecision } from './pull-request-decision.tsx'
import { PullRequestHead } from './pull-request-head.tsx'
import classes from './pull-request-page.module.css'

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

/** One component per section. Those beside the others come first, because narrow pages show them first. */
function PullRequest({ pullRequest }: { pullRequest: PullRequestViewResource }) {
  const { title, number, repository } = pullRequest
  usePageTitle(`${title} · Pull request #${number} · ${repository}`)
  return (
    <>
      <PullRequestHead pullRequest={pullRequest} />
      <div className={classes.columns}>
        <aside className={classes.aside}>
          <ChecksSection checks={pullRequest.checks} />
          <CommitsSection commits={pullRequest.commits} />
        </aside>
        <div className={classes.sections}>
          <DescriptionSection pullRequest={pullRequest} />
          <FilesSection pullRequest={pullRequest} />
          <ConversationSection pullRequest={pullRequest} />
          <PullRequestDecision pullRequest={pullRequest} />
        </div>
      </div>
    </>
  )
}
