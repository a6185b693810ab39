import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { siteWord } from '../../shell/places.ts'
import { describeCost } from '../jobs/job-state.ts'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { queryOf } from '../../api/call.ts'
import { language } from '../../../words/language.ts'
import { say, sayCount } from '../../../words/say.ts'

export function JobFacts({ job }: { job: AgentJobResource }) {
  const { organization } = useSession()
  const sites = useQuery(sitesQuery)
  const options = useQuery(queryOf(agentJobOperations.getAgentOptions))
  const site = sites.data?.find(({ id }) => id === job.siteId)
  const { usage, source } = job
  const budget = options.data?.budget
  return (
    <Section title={say('Details')}>
      <Facts
        facts={[
          [
            say('Site'),
            site === undefined ? (
              '–'
            ) : (
              <Link to="/$organization/$domain" params={{ organization: organization.id, domain: siteWord(site) }}>
                {site.name}
              </Link>
            ),
          ],
          [say('Repository'), <VisibleText key="repository" text={source.repository} />],
          [say('Base branch'), <VisibleText key="ref" text={source.ref} />],
          [say('Model'), <VisibleText key="model" text={job.model} />],
          [say('Created'), <TimeText key="created" time={job.createdAt} />],
          [say('Updated'), <TimeText key="changed" time={job.updatedAt} />],
          [say('Steps'), <Used key="steps" label={say('Steps')} used={usage.steps} max={budget?.steps} />],
          [say('Tokens'), describeTokens(usage)],
          [say('Cost'), describeCost(usage.costUsd)],
          [say('Budget'), budget === undefined ? '–' : describeBudget(budget)],
          ...(job.deletionsAllowedBy === null
            ? []
            : [
                [
                  say('Deletions'),
                  say('Allowed by {deletionsAllowedBy}', { deletionsAllowedBy: job.deletionsAllowedBy }),
                ] as [string, string],
              ]),
          [say('Conventions'), describeInstructions(job.instructions)],
        ]}
      />
    </Section>
  )
}

/** Usage covers all messages, while the budget applies to one. */
function Used({ label, used, max }: { label: string; used: number; max: number | undefined }) {
  return max === undefined || used > max ? (
    used.toLocaleString(language)
  ) : (
    <Meter label={label} value={used} max={max} />
  )
}

function describeTokens({ inputTokens, cachedTokens, outputTokens }: AgentJobResource['usage']): string {
  const cached = inputTokens === 0 ? 0 : Math.round((cachedTokens / inputTokens) * 100)
  return say('{inputTokens} in, {cached}% of them cached; {outputTokens} out', { inputTokens, cached, outputTokens })
}

function describeBudget({ minutes, costUsd }: { minutes: number; costUsd: number }): string {
  return sayCount(minutes, '{count} minute and {costUsd} per message', '{count} minutes and {costUsd} per message', {
    costUsd: describeCost(costUsd),
  })
}

function describeInstructions(instructions: AgentJobResource['instructions']) {
  if (instructions.length === 0) return say('None in the repository')
  return <VisibleText text={instructions.map(({ path }) => path).join(', ')} />
}
