import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Book, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { Home, HomePeriod } from '../../../../src/contract/home.ts'
import { buttonLook } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { homeQuery } from '../../api/home.ts'
import { useMay, useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import classes from './home-page.module.css'
import { describeComparison, HomePeriodChoice } from './home-period.tsx'
import { useHomePeriod } from './home-search.ts'
import { NeedList } from './need-list.tsx'
import { SiteActivityCard } from './site-activity-card.tsx'
import { say } from '../../../words/say.ts'

/** Needed once in the life of an installation. */
const FirstStepsCard = lazy(() =>
  import('./first-steps-card.tsx').then((module) => ({ default: module.FirstStepsCard })),
)

export function HomePage() {
  const { organization } = useSession()
  const [days] = useHomePeriod()
  const sites = useQuery(sitesQuery)
  const home = useQuery(homeQuery(days))
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
            <HomePeriodChoice />
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
      <Section title={say('How it’s going')} description={describeComparison(home)}>
        {sites.length === 0 ? (
          <EmptyState icon={<Book aria-hidden />} title={say('No sites yet')}>
            {say(
              'Here you see what readers ask on each site, and how well it answers. Add a site from a repository, a folder or a published site.',
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
