import { useQuery } from '@tanstack/react-query'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Card } from '../../../ui/card.tsx'
import { describeError } from '../../api/api-error.ts'
import { webhookSetupQuery } from '../../api/sites.ts'
import { WebhookButton } from '../site/webhook-button.tsx'

/** Has the code host tell of changes, and says what is left to a person. */
export function WebhookCard({ site }: { site: Pick<SiteResource, 'id'> }) {
  const { data, error, isPending } = useQuery(webhookSetupQuery(site.id))
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
