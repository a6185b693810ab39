import { useQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { type Tab, Tabs } from '../../../ui/tabs.tsx'
import { useMay } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { NotFound } from '../../shell/not-found-page.tsx'
import { AgentsView } from './agents-view.tsx'
import { ExportMenu } from './export-menu.tsx'
import { GapsView } from './gaps-view.tsx'
import { InsightsFilters } from './insights-filters.tsx'
import classes from './insights-page.module.css'
import { insightsViews, type InsightsView } from './insights-search.ts'
import { OverviewView } from './overview-view.tsx'
import { QuestionsView } from './questions-view.tsx'
import { ShareDialog } from './share-dialog.tsx'
import { TopicsView } from './topics-view.tsx'
import { type InsightsScope, useInsightsScope, useInsightsSearch } from './use-insights.ts'
import { ViewsMenu } from './views-menu.tsx'
import { say } from '../../../words/say.ts'

/** Insights of one site or all sites. */
export function InsightsPage() {
  const sites = useQuery(sitesQuery)
  return <Loaded query={sites}>{(sites) => <Insights sites={sites} />}</Loaded>
}

function Insights({ sites }: { sites: Parameters<typeof useInsightsScope>[0] }) {
  const scope = useInsightsScope(sites)
  const { search, change } = useInsightsSearch()
  if (scope === null) return <NotFound>{say('There is no site with this name.')}</NotFound>
  const view = search.view ?? 'overview'
  const show = (id: string) => {
    const next = insightsViews.find((view) => view === id)
    change({ view: next === 'overview' ? undefined : next, gap: undefined }, true)
  }
  return (
    <>
      <PageHeader title={say('Insights')} action={<Actions scope={scope} view={view} />}>
        {scope.isSitePage
          ? say('What readers ask on {name}, and which questions the pages do not answer.', {
              name: scope.site?.name ?? '',
            })
          : say('What readers ask, and which questions the pages do not answer.')}
      </PageHeader>
      <Tabs label={say('Views')} tabs={listTabs(scope)} shown={{ id: view, onChange: show }} />
    </>
  )
}

function Actions({ scope, view }: { scope: InsightsScope; view: InsightsView }) {
  const [isSharing, setIsSharing] = useState(false)
  const mayShare = useMay('owner')
  const hasQuestions = view !== 'gaps' && view !== 'agents'
  return (
    <div className={classes.actions}>
      {mayShare && hasQuestions ? (
        <Button onClick={() => setIsSharing(true)}>
          <Share2 size={16} aria-hidden /> {say('Share')}
        </Button>
      ) : null}
      {hasQuestions ? <ExportMenu filter={scope.filter} /> : null}
      <ViewsMenu />
      {isSharing ? <ShareDialog scope={scope} isOpen onClose={() => setIsSharing(false)} /> : null}
    </div>
  )
}

function listTabs(scope: InsightsScope): [Tab, ...Tab[]] {
  const tab = (id: InsightsView, title: string, View: typeof OverviewView) => ({
    id,
    title,
    content: (
      <div className={classes.view}>
        <InsightsFilters scope={scope} view={id} />
        <View scope={scope} />
      </div>
    ),
  })
  return [
    tab('overview', say('Overview'), OverviewView),
    tab('questions', say('Questions'), QuestionsView),
    tab('topics', say('Topics'), TopicsView),
    tab('agents', say('Agents'), AgentsView),
    tab('gaps', say('Gaps'), GapsView),
  ]
}
