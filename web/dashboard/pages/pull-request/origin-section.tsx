import { useQuery } from '@tanstack/react-query'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'
import { sessionQuery } from '../../api/session.ts'
import { jobAddress } from './dashboard-address.ts'
import { useReview } from './review-context.ts'

/** Where the change comes from. */
export function OriginSection() {
  const session = useQuery(sessionQuery)
  const { member, headBranch, baseBranch } = useReview().pullRequest
  const organization = session.data?.organization
  const job = member?.jobId == null || organization === undefined ? null : jobAddress(organization, member.jobId)
  return (
    <Section title="Origin">
      <Facts
        facts={[
          ...(job === null
            ? []
            : [
                ['Job', <a href={job}>Request and result</a>] as const,
                ['Steps', <a href={`${job}#conversation`}>Conversation with the agent</a>] as const,
              ]),
          ['Branch', <code>{headBranch}</code>],
          ['Into', <code>{baseBranch}</code>],
        ]}
      />
    </Section>
  )
}
