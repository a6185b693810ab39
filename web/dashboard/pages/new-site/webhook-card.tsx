import { useQuery } from '@tanstack/react-query'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Card } from '../../../ui/card.tsx'
import { describeError } from '../../api/api-error.ts'
import { WebhookButton } from '../site/webhook-button.tsx'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

/** Adds a webhook on the code host, or says what to do by hand. */
export function WebhookCard({ site }: { site: Pick<SiteResource, 'id'> }) {
  const { data, error, isPending } = useQuery({
    // Idempotent: there is one webhook per address.
    ...queryOf(siteOperations.addSiteWebhook, { params: { id: site.id } }),
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Card aria-label={say('Webhook')}>
      <p role="status">
        {isPending ? say('Adding a webhook on the code host …') : (data?.message ?? describeError(error))}
      </p>
      {isPending || (data !== undefined && data.state !== 'by-hand') ? null : (
        <>
          <p>
            {say(
              'With a webhook, changes are published immediately. Without one, the repository is polled every few minutes.',
            )}
          </p>
          <div>
            <WebhookButton site={site} />
          </div>
        </>
      )}
    </Card>
  )
}
