import { useQuery } from '@tanstack/react-query'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Card } from '../../../ui/card.tsx'
import { describeError } from '../../api/api-error.ts'
import { WebhookButton } from '../site/webhook-button.tsx'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { queryOf } from '../../api/call.ts'

/** Has the code host tell of changes, and says what is left to a person. */
export function WebhookCard({ site }: { site: Pick<SiteResource, 'id'> }) {
  const { data, error, isPending } = useQuery({
    // Asking again does no harm: there is one webhook for an address.
    ...queryOf(siteOperations.addSiteWebhook, { params: { id: site.id } }),
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Card aria-label="Webhook">
      <p role="status">
        {isPending ? 'Asking the code host to tell of changes…' : (data?.message ?? describeError(error))}
      </p>
      {isPending || (data !== undefined && data.state !== 'by-hand') ? null : (
        <>
          <p>
            With a webhook, changes are published at once. Without it, the repository is looked at every few minutes.
          </p>
          <div>
            <WebhookButton site={site} />
          </div>
        </>
      )}
    </Card>
  )
}
