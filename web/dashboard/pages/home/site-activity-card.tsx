import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { HomePeriod, SiteActivity } from '../../../../src/contract/home.ts'
import { isRefusal } from '../../../../src/contract/verdicts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { useSession } from '../../api/session.ts'
import { metrics, MetricView } from '../../shell/metric-view.tsx'
import { siteWord } from '../../shell/places.ts'
import { SiteMark } from '../../shell/site-mark.tsx'
import { describeSiteState } from '../site/site-state.ts'
import classes from './site-activity-card.module.css'
import { say, sayParts } from '../../../words/say.ts'

export interface SiteActivityCardProps {
  site: SiteResource
  /** Null beyond the sites that the service reports on. */
  activity: SiteActivity | null
  days: HomePeriod
  /** On its own page, whose head says the same. */
  isHeadless?: boolean
}

/** What happens on a site. */
export function SiteActivityCard({ site, activity, days, isHeadless = false }: SiteActivityCardProps) {
  const { organization } = useSession()
  const params = { organization: organization.id, domain: siteWord(site) }
  return (
    <section className={classes.card} aria-label={site.name}>
      {isHeadless ? null : (
        <div className={classes.head}>
          <SiteMark site={site} />
          <h3 className={classes.name}>
            <Link to="/$organization/$domain" params={params}>
              {site.name}
            </Link>
          </h3>
          <a className={classes.address} href={site.url} target="_blank" rel="noreferrer">
            {new URL(site.url).host} <ExternalLink size={12} aria-label={say('(opens in a new tab)')} />
          </a>
          <span className={classes.state}>
            <SiteReading site={site} />
          </span>
        </div>
      )}
      {activity === null || isQuiet(activity) ? null : (
        <Link
          className={classes.metrics}
          to="/$organization/$domain/insights"
          params={params}
          search={{ days } as never} // As the insights page reads it.
        >
          <VisuallyHidden>{say('Insights of {name}:', { name: site.name })}</VisuallyHidden>
          {metrics.map((metric) => (
            <MetricView key={metric.name} metric={metric} {...activity} />
          ))}
        </Link>
      )}
      <LastQuestion
        last={activity?.lastQuestion ?? null}
        toWhy={(children) => (
          <Link to="/$organization/$domain/insights" params={params} search={{ view: 'questions' } as never}>
            {children}
          </Link>
        )}
      />
    </section>
  )
}

/** Without questions, every number would be a dash. */
function isQuiet({ current, previous }: SiteActivity): boolean {
  return current.questions === 0 && previous.questions === 0
}

/** When a site was read, and its state. */
export function SiteReading({ site }: { site: SiteResource }) {
  const { tone, label } = describeSiteState(site)
  return (
    <>
      {site.generation === null ? null : (
        <span className={classes.synced}>
          {sayParts('Read {createdAt}', { createdAt: <TimeText time={site.generation.createdAt} /> })}
        </span>
      )}
      <Badge tone={tone}>{label}</Badge>
    </>
  )
}

function LastQuestion({ last, toWhy }: { last: SiteActivity['lastQuestion']; toWhy(children: string): ReactNode }) {
  if (last === null) {
    return (
      <p className={classes.last}>
        {say('No questions yet. The latest one, and the source of its answer, will appear here.')}
      </p>
    )
  }
  const time = <TimeText time={last.askedAt} />
  const isUnanswered = isRefusal(last.verdict) || last.verdict === 'failed'
  return (
    <p className={classes.last}>
      <q className={classes.question}>{last.question}</q>
      <span className={classes.outcome}>
        {isUnanswered ? sayParts('not answered, {time}', { time }) : null}
        {isUnanswered ? (
          <>. {toWhy(say('See why'))}</>
        ) : last.source === null ? (
          sayParts('answered {time}', { time })
        ) : (
          <>
            {sayParts('answered {time} from {page}', {
              time,
              page: (
                <a href={last.source.url} target="_blank" rel="noreferrer">
                  {last.source.title}
                </a>
              ),
            })}
          </>
        )}
      </span>
    </p>
  )
}
