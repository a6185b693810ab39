import { useQuery } from '@tanstack/react-query'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { homeQuery } from '../../api/home.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { describeComparison, HomePeriodChoice } from '../home/home-period.tsx'
import { useHomePeriod } from '../home/home-search.ts'
import { NeedList } from '../home/need-list.tsx'
import { SiteActivityCard } from '../home/site-activity-card.tsx'
import { say } from '../../../words/say.ts'

/** What needs attention on a site, and what happens there. */
export function SiteActivity({ site }: { site: SiteResource }) {
  const [days] = useHomePeriod()
  const home = useQuery(homeQuery(days))
  return (
    <Loaded query={home} skeleton={<Skeleton shape="cards" count={2} />}>
      {(home) => {
        const needs = home.needs.filter(({ siteId }) => siteId === site.id)
        return (
          <>
            {needs.length === 0 ? null : <NeedList needs={needs} sites={[site]} isOfSite />}
            <Section title={say('How it’s going')} description={describeComparison(home)} action={<HomePeriodChoice />}>
              <SiteActivityCard
                site={site}
                activity={home.sites.find(({ siteId }) => siteId === site.id) ?? null}
                days={days}
                isHeadless
              />
            </Section>
          </>
        )
      }}
    </Loaded>
  )
}
