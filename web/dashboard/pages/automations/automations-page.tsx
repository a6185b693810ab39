import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Repeat } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { AutomationResource } from '../../../../src/contract/automations.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useMay, useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { AutomationDialog } from './automation-dialog.tsx'
import { describeTrigger } from './automation-form.ts'
import { automationOperations } from '../../../../src/contract/operations/automations.ts'
import { usePages } from '../../api/use-pages.ts'
import { ListTable } from '../../shell/list-table.tsx'
import { say } from '../../../words/say.ts'

export function AutomationsPage() {
  const isOwner = useMay('owner')
  const sites = useQuery(sitesQuery)
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <PageHeader
        title={say('Automations')}
        action={
          isOwner ? (
            <Button
              look="primary"
              data-command={automationOperations.createAutomation.id}
              onClick={() => setCreating(true)}
            >
              <Plus size={16} aria-hidden /> {say('New automation')}
            </Button>
          ) : null
        }
      >
        {say('Jobs that start automatically: on a schedule, or when a repository changes.')}
      </PageHeader>
      <Loaded query={sites}>
        {(sites) => (
          <>
            <AutomationList sites={sites} />
            <AutomationDialog sites={sites} automation={null} isOpen={isCreating} onClose={() => setCreating(false)} />
          </>
        )}
      </Loaded>
    </>
  )
}

function AutomationList({ sites }: { sites: readonly SiteResource[] }) {
  const list = usePages(automationOperations.listAutomations, {})
  const names = new Map(sites.map(({ id, name }) => [id, name]))
  const columns: [Column<AutomationResource>, ...Column<AutomationResource>[]] = [
    {
      title: say('Automation'),
      linksRow: true,
      sortBy: ({ name }) => name,
      render: (each) => <AutomationName automation={each} />,
    },
    {
      title: say('Site'),
      sortBy: ({ siteId }) => names.get(siteId) ?? null,
      render: ({ siteId }) => names.get(siteId) ?? say('Deleted site'),
    },
    { title: say('Trigger'), render: ({ trigger }) => describeTrigger(trigger) },
    {
      title: say('Next run'),
      sortBy: ({ nextRunAt }) => nextRunAt,
      render: ({ nextRunAt }) => (nextRunAt === null ? '–' : <TimeText time={nextRunAt} />),
    },
    { title: say('State'), render: (each) => <AutomationBadge automation={each} /> },
  ]
  const empty = (
    <EmptyState icon={<Repeat aria-hidden />} title={say('No automations yet')}>
      {say('An automation repeats a job, such as fixing broken links every morning.')}
    </EmptyState>
  )
  return (
    <ListTable
      list={list}
      caption={say('Automations')}
      columns={columns}
      empty={empty}
      isDimmed={({ enabled }) => !enabled}
    />
  )
}

function AutomationName({ automation: { id, name } }: { automation: AutomationResource }) {
  const { organization } = useSession()
  return (
    <Link to="/$organization/automations/$automationId" params={{ organization: organization.id, automationId: id }}>
      {name}
    </Link>
  )
}

export function AutomationBadge({ automation: { enabled, failure } }: { automation: AutomationResource }) {
  if (!enabled) return <Badge>{say('Paused')}</Badge>
  return failure === null ? <Badge tone="success">{say('On')}</Badge> : <Badge tone="danger">{say('Failing')}</Badge>
}
