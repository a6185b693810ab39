import { Ellipsis, Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import type { WebhookEndpointResource } from '../../../../src/contract/webhooks.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Section } from '../../../ui/section.tsx'
import { useChange } from '../../forms/use-change.ts'
import { CreateEndpointDialog } from './create-endpoint-dialog.tsx'
import { DeleteEndpointDialog } from './delete-endpoint-dialog.tsx'
import { SendList } from './send-list.tsx'
import classes from './settings-page.module.css'
import { webhookOperations } from '../../../../src/contract/operations/webhooks.ts'
import { type PagedList, usePages } from '../../api/use-pages.ts'
import { ListTable } from '../../shell/list-table.tsx'
import { call } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export function Webhooks() {
  const list = usePages(webhookOperations.listWebhookEndpoints, {})
  const [isCreating, setCreating] = useState(false)
  const [removed, setRemoved] = useState<WebhookEndpointResource | null>(null)
  const [shownId, setShownId] = useState<string | null>(null)
  const shown = list.query.data?.items.find(({ id }) => id === shownId)
  return (
    <Section
      title={say('Webhook endpoints')}
      description={say('URLs that Docent notifies of events. Each message is signed.')}
      action={
        <Button
          look="primary"
          data-command={webhookOperations.createWebhookEndpoint.id}
          onClick={() => setCreating(true)}
        >
          <Plus size={16} aria-hidden /> {say('Add endpoint')}
        </Button>
      }
    >
      <EndpointTable list={list} onRemove={setRemoved} onShow={({ id }) => setShownId(id)} />
      {shown === undefined ? null : <SendList key={shown.id} endpoint={shown} />}
      <CreateEndpointDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      <DeleteEndpointDialog endpoint={removed} onClose={() => setRemoved(null)} />
    </Section>
  )
}

interface EndpointTableProps {
  list: PagedList<WebhookEndpointResource>
  onRemove(endpoint: WebhookEndpointResource): void
  onShow(endpoint: WebhookEndpointResource): void
}

function EndpointTable({ list, onRemove, onShow }: EndpointTableProps) {
  const columns: [Column<WebhookEndpointResource>, ...Column<WebhookEndpointResource>[]] = [
    {
      title: say('Endpoint'),
      sortBy: ({ name }) => name,
      render: ({ name, url }) => (
        <div className={classes.stack}>
          <strong>{name}</strong>
          <code>{url}</code>
        </div>
      ),
    },
    {
      title: say('Events'),
      render: ({ events }) => (
        <ul className={classes.stack}>
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      ),
    },
    {
      title: say('State'),
      sortBy: ({ enabled, failingSince }) => (enabled ? (failingSince ?? '') : 'off'),
      render: (endpoint) => <EndpointState endpoint={endpoint} />,
    },
    {
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: (endpoint) => <EndpointMenu endpoint={endpoint} onRemove={onRemove} onShow={onShow} />,
    },
  ]
  const empty = (
    <EmptyState icon={<Webhook aria-hidden />} title={say('No endpoints yet')}>
      {say(
        'Add the URL of a program that should be notified when a job ends, a pull request is merged or a sync fails.',
      )}
    </EmptyState>
  )
  return (
    <ListTable
      list={list}
      caption={say('Webhook endpoints')}
      columns={columns}
      empty={empty}
      isDimmed={({ enabled }) => !enabled}
    />
  )
}

function EndpointState({ endpoint }: { endpoint: WebhookEndpointResource }) {
  const { enabled, failingSince, disabledReason } = endpoint
  if (!enabled) {
    return (
      <div className={classes.stack}>
        <span>
          <Badge tone="neutral">{say('Off')}</Badge>
        </span>
        {disabledReason === null ? null : <span>{disabledReason}</span>}
      </div>
    )
  }
  return failingSince === null ? (
    <Badge tone="success">{say('On')}</Badge>
  ) : (
    <Badge tone="danger">{say('Failing')}</Badge>
  )
}

function EndpointMenu({
  endpoint,
  onRemove,
  onShow,
}: Pick<EndpointTableProps, 'onRemove' | 'onShow'> & { endpoint: WebhookEndpointResource }) {
  const test = useChange({
    send: (id: string) => call(webhookOperations.testWebhookEndpoint, { params: { id } }),
    done: say('Test event queued.'),
    stale: ['listWebhookDeliveries'],
    onDone: () => onShow(endpoint),
    hasFailureToast: true,
  })
  const change = useChange({
    send: (enabled: boolean) =>
      call(webhookOperations.updateWebhookEndpoint, { params: { id: endpoint.id }, body: { enabled } }),
    stale: ['listWebhookEndpoints'],
    hasFailureToast: true,
  })
  return (
    <Menu
      trigger={
        <IconButton size="small" label={say('Actions for {name}', { name: endpoint.name })}>
          <Ellipsis size={17} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => onShow(endpoint)}>{say('Show deliveries')}</MenuItem>
      <MenuItem onSelect={() => test.mutate(endpoint.id)}>{say('Send test event')}</MenuItem>
      <MenuItem onSelect={() => change.mutate(!endpoint.enabled)}>
        {endpoint.enabled ? say('Turn off') : say('Turn on')}
      </MenuItem>
      <MenuItem isDangerous onSelect={() => onRemove(endpoint)}>
        {say('Delete …')}
      </MenuItem>
    </Menu>
  )
}
