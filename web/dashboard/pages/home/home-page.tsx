import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Book, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { type Home, type HomePeriod, homePeriods } from '../../../../src/contract/home.ts'
import { homeOperations } from '../../../../src/contract/operations/home.ts'
import { buttonLook } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { queryOf } from '../../api/call.ts'
import { insightsFreshMs } from '../../api/insights.ts'
import { useMay, useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import classes from './home-page.module.css'
import { useHomePeriod } from './home-search.ts'
import { NeedList } from './need-list.tsx'
import { SiteActivityCard } from './site-activity-card.tsx'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

/** Needed once in the life of an installation. */
const FirstStepsCard = lazy(() =>
  import('./first-steps-card.tsx').then((module) => ({ default: module.FirstStepsCard })),
)

const periodNames: Record<HomePeriod, string> = { 1: say('24 hours'), 7: say('7 days'), 30: say('30 days') }
const periods = homePeriods.map((value) => ({ value, label: periodNames[value] }))

export function HomePage() {
  const { organization } = useSession()
  const [days, setDays] = useHomePeriod()
  const sites = useQuery(sitesQuery)
  const home = useQuery({
    ...queryOf(homeOperations.getHome, { query: { days: String(days) } }),
    staleTime: insightsFreshMs,
    placeholderData: (previous) => previous,
  })
  const addSite = useMay('owner') ? (
    <Link className={buttonLook()} to="/$organization/new" params={{ organization: organization.id }}>
      <Plus size={16} aria-hidden /> {say('Add a site')}
    </Link>
  ) : null
  return (
    <>
      <PageHeader
        title={say('Home')}
        action={
          <div className={classes.actions}>
            <Segments label={say('Period')} value={days} options={periods} onValueChange={setDays} />
            {addSite}
          </div>
        }
      />
      <Loaded query={sites} skeleton={<Skeleton shape="cards" count={3} />}>
        {(sites) => (
          <>
            <FirstSteps sites={sites} />
            <Loaded query={home} skeleton={<Skeleton shape="cards" count={3} />}>
              {(home) => <HomeView home={home} sites={sites} days={days} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </>
  )
}

function HomeView({ home, sites, days }: { home: Home; sites: readonly SiteResource[]; days: HomePeriod }) {
  const activities = new Map(home.sites.map((activity) => [activity.siteId, activity]))
  return (
    <>
      <NeedList needs={home.needs} sites={sites} />
      <Section
        title={say('How it’s going')}
        description={say('{period}, compared with the period before', { period: describePeriod(home) })}
      >
        {sites.length === 0 ? (
          <EmptyState icon={<Book aria-hidden />} title={say('No sites yet')}>
            {say(
              'Each site shows here what readers ask, and how well it answers. Add one from a repository, a folder or a published site.',
            )}
          </EmptyState>
        ) : (
          <div className={classes.sites}>
            {sites.map((site) => (
              <SiteActivityCard key={site.id} site={site} activity={activities.get(site.id) ?? null} days={days} />
            ))}
          </div>
        )}
      </Section>
    </>
  )
}

const dayFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' })

function describePeriod({ from, to }: Home): string {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  return end - start <= 86_400_000 ? say('The last 24 hours') : dayFormat.formatRange(start, end)
}

/** Shown while the demo site is the only site. */
function FirstSteps({ sites }: { sites: readonly SiteResource[] }) {
  const [demo, ...others] = sites
  const isOwner = useMay('owner')
  if (demo?.source.location !== 'default/docs' || others.length > 0 || !isOwner) return null
  return (
    <Suspense>
      <FirstStepsCard demo={demo} />
    </Suspense>
  )
}
