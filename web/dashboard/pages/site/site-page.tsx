import { Link } from '@tanstack/react-router'
import { MessageCircleQuestion, RefreshCw } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { useMay, useSession } from '../../api/session.ts'
import { useChange } from '../../forms/use-change.ts'
import { siteWord } from '../../shell/places.ts'
import { SiteScope } from '../../shell/site-scope.tsx'
import { SiteReading } from '../home/site-activity-card.tsx'
import { AddressQuestion } from './address-question.tsx'
import { FindingList } from './finding-list.tsx'
import { ReadingCheck } from './reading-check.tsx'
import classes from './site-page.module.css'
import { SiteActivity } from './site-activity.tsx'
import { SiteFacts } from './site-facts.tsx'
import { SiteKeys } from './site-keys.tsx'
import { SiteLinks } from './site-links.tsx'
import { SyncState } from './sync-state.tsx'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { call } from '../../api/call.ts'
import { isSyncing } from '../../api/sites.ts'
import { say } from '../../../words/say.ts'

export function SitePage() {
  return <SiteScope>{(site) => <SiteView key={site.id} site={site} />}</SiteScope>
}

function SiteView({ site }: { site: SiteResource }) {
  return (
    <>
      <PageHeader title={site.name} action={<SiteActions site={site} />}>
        <span className={classes.head}>
          <ExternalLink href={site.url}>{site.url}</ExternalLink>
          <SiteReading site={site} />
        </span>
      </PageHeader>
      <SyncState site={site} />
      <AddressQuestion site={site} />
      <SiteActivity site={site} />
      <ReadingCheck site={site} />
      <FindingList site={site} />
      <SiteLinks site={site} />
      <Section title={say('Facts')}>
        <Card>
          <SiteFacts site={site} />
        </Card>
      </Section>
      <SiteKeys site={site} />
    </>
  )
}

function SiteActions({ site }: { site: SiteResource }) {
  const { organization } = useSession()
  const mayEdit = useMay('editor')
  const sync = useChange({
    send: () => call(siteOperations.syncSite, { params: { id: site.id } }),
    done: say('Sync started.'),
    stale: ['listSites'],
    hasFailureToast: true,
  })
  if (!mayEdit) return null
  return (
    <FormActions>
      {site.generation === null ? null : (
        <Link
          className={buttonLook()}
          to="/$organization/$domain/playground"
          params={{ organization: organization.id, domain: siteWord(site) }}
        >
          <MessageCircleQuestion size={16} aria-hidden /> {say('Try a question')}
        </Link>
      )}
      <Button
        data-command={siteOperations.syncSite.id}
        isBusy={sync.isPending || isSyncing(site)}
        onClick={() => sync.mutate()}
      >
        <RefreshCw size={16} aria-hidden /> {say('Sync now')}
      </Button>
    </FormActions>
  )
}
