import { useNavigate, useSearch } from '@tanstack/react-router'
import { PageHeader } from '../../../ui/page-header.tsx'
import { type Tab, Tabs } from '../../../ui/tabs.tsx'
import { useMay } from '../../api/session.ts'
import { BrandSettings } from './brand-settings.tsx'
import { CodeHosts } from './code-hosts.tsx'
import { ModelSettings } from './model-settings.tsx'
import { readSettingsSearch, settingsViews } from './settings-search.ts'
import { Webhooks } from './webhooks.tsx'
import { say } from '../../../words/say.ts'

/** Settings of the whole service. Sites have their own. */
export function SettingsPage() {
  const search = readSettingsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const isOwner = useMay('owner')
  const model: Tab = { id: 'model', title: say('Model'), content: <ModelSettings /> }
  const tabs: [Tab, ...Tab[]] = isOwner
    ? [
        model,
        { id: 'webhooks', title: say('Webhooks'), content: <Webhooks /> },
        { id: 'code-hosts', title: say('Code hosts'), content: <CodeHosts made={search.made ?? null} /> },
        { id: 'brand', title: say('Brand'), content: <BrandSettings /> },
      ]
    : [model]
  const show = (id: string) => {
    const view = settingsViews.find((view) => view === id)
    void navigate({ to: '.', search: (view === 'model' ? {} : { view }) as never, resetScroll: false })
  }
  return (
    <>
      <PageHeader title={say('Settings')}>
        {say('The language model, outgoing webhooks, code hosts and the brand.')}{' '}
        {isOwner ? null : say('Only owners can change them.')}
      </PageHeader>
      <Tabs
        label={say('Settings')}
        tabs={tabs}
        shown={{ id: isOwner ? (search.view ?? 'model') : 'model', onChange: show }}
      />
    </>
  )
}
