import { useQuery } from '@tanstack/react-query'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'
import { sessionQuery } from '../../api/session.ts'
import { jobAddress } from './dashboard-address.ts'
import { useReview } from './review-context.ts'
import { say } from '../../../words/say.ts'

/** Where the change comes from. */
export function OriginSection() {
  const session = useQuery(sessionQuery)
  const { member, headBranch, baseBranch } = useReview().pullRequest
  const organization = session.data?.organization
  const job = member?.jobId == null || organization === undefined ? null : jobAddress(organization, member.jobId)
  return (
    <Section title={say('Origin')}>
      <Facts
        facts={[
          ...(job === null
            ? []
            : [
                [say('Job'), <a href={job}>{say('Request and result')}</a>] as const,
                [say('Steps'), <a href={`${job}#conversation`}>{say('Conversation with the agent')}</a>] as const,
              ]),
          [say('Branch'), <code>{headBranch}</code>],
          [say('Into'), <code>{baseBranch}</code>],
        ]}
      />
    </Section>
  )
}
