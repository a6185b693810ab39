import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { useChange } from '../../forms/use-change.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { call } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

/** Shows webhook address and secret on demand, because the audit log records it. */
export function WebhookButton({ site }: { site: Pick<SiteResource, 'id'> }) {
  const [isOpen, setOpen] = useState(false)
  const webhook = useChange({
    send: () => call(siteOperations.showSiteWebhook, { params: { id: site.id } }),
    onDone: () => setOpen(true),
    hasFailureToast: true,
  })
  return (
    <>
      <Button size="small" isBusy={webhook.isPending} onClick={() => webhook.mutate()}>
        {say('Show address and secret')}
      </Button>
      <Dialog
        title={say('Webhook')}
        description={say(
          'Enter these in the webhook settings of the repository, for pushes, pull requests and comments. Changes are then published immediately.',
        )}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        {webhook.data === undefined ? null : (
          <Facts
            facts={[
              [say('Address'), <CopyLine key="url" text={webhook.data.url} what={say('address of the webhook')} />],
              [say('Secret'), <CopyLine key="secret" text={webhook.data.secret} what={say('secret of the webhook')} />],
              [say('Content type'), 'application/json'],
            ]}
          />
        )}
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{say('Done')}</Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
