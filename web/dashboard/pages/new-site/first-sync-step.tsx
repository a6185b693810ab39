import { Link } from '@tanstack/react-router'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { isForgeKind } from '../../../../src/contract/code-hosts.ts'
import { buttonLook } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { StepHeading } from '../../../ui/steps.tsx'
import { useSession } from '../../api/session.ts'
import { isSyncing } from '../../api/sites.ts'
import { siteWord } from '../../shell/places.ts'
import { SyncState } from '../site/sync-state.tsx'
import { WebhookCard } from './webhook-card.tsx'
import { say, sayCount } from '../../../words/say.ts'

/** Progress of the first sync, then the way to the last step and the first question. */
export function FirstSyncStep({ site }: { site: SiteResource }) {
  const { organization } = useSession()
  const { generation } = site
  const params = { organization: organization.id, domain: siteWord(site) }
  return (
    <>
      <StepHeading>{say('First sync')}</StepHeading>
      <SyncState site={site} />
      {generation === null || isSyncing(site) ? null : (
        <div role="status">
          <Notice tone="success">
            {sayCount(
              generation.pages,
              '{name} is ready: {count} page published.',
              '{name} is ready: {count} pages published.',
              { name: site.name },
            )}
            {generation.findings === 0
              ? null
              : ` ${sayCount(generation.findings, '{count} finding to review.', '{count} findings to review.')}`}
          </Notice>
        </div>
      )}
      {isForgeKind(site.source.kind) ? <WebhookCard site={site} /> : null}
      <FormActions>
        {generation === null ? null : (
          <>
            <Link
              className={buttonLook('primary')}
              to="/$organization/$domain/live"
              params={params}
              search={{ setup: true }}
            >
              {say('Put it live')}
            </Link>
            <Link className={buttonLook()} to="/$organization/$domain/playground" params={params}>
              {say('Ask your first question')}
            </Link>
          </>
        )}
        <Link className={buttonLook()} to="/$organization/$domain" params={params}>
          {say('Go to the site')}
        </Link>
      </FormActions>
    </>
  )
}
