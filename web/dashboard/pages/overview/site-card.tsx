import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { siteSummaryQuery } from '../../api/insights.ts'
import { siteWord } from '../../shell/places.ts'
import classes from './site-card.module.css'
import { describeSiteState } from './site-state.ts'

export interface SiteCardProps {
  site: SiteResource
  organization: string
  /** Whether to count its questions, which takes a request per card. */
  countsQuestions: boolean
}

export function SiteCard({ site, organization, countsQuestions }: SiteCardProps) {
  const { generation } = site
  const state = describeSiteState(site)
  return (
    <Card aria-label={site.name}>
      <div className={classes.head}>
        <h3 className={classes.name}>
          <Link to="/$organization/$domain" params={{ organization, domain: siteWord(site) }}>
            {site.name}
          </Link>
        </h3>
        <Badge tone={state.tone}>{state.label}</Badge>
      </div>
      {state.message === null ? null : <p className={classes.message}>{state.message}</p>}
      <Facts
        facts={[
          ['Slug', <code key="slug">{site.slug}</code>],
          ['Pages', generation === null ? '–' : generation.pages.toLocaleString()],
          ['Published', generation === null ? 'Not yet' : <TimeText key="time" time={generation.createdAt} />],
          ['Findings', generation === null ? '–' : describeFindings(generation.findings)],
          ...(countsQuestions ? [['Questions', <QuestionCount key="questions" siteId={site.id} />] as const] : []),
        ]}
      />
      <a className={classes.open} href={site.url} target="_blank" rel="noreferrer">
        Open the site <ExternalLink size={14} aria-hidden />
      </a>
    </Card>
  )
}

function QuestionCount({ siteId }: { siteId: string }) {
  const { data, isError } = useQuery(siteSummaryQuery(siteId))
  if (data === undefined) return isError ? '–' : '…'
  const { questions, unanswered } = data.total
  const share = unanswered === 0 ? '' : `, ${unanswered.toLocaleString()} unanswered`
  return `${questions.toLocaleString()} in 30 days${share}`
}

function describeFindings(count: number): string {
  return count === 0 ? 'None' : count.toLocaleString()
}
