import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Ellipsis, Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import type { WebhookEndpointResource } from '../../../../src/contract/webhooks.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Section } from '../../../ui/section.tsx'
import { useCursorPages } from '../../api/cursor-pages.ts'
import { changeEndpoint, endpointsQuery, testEndpoint } from '../../api/webhook-endpoints.ts'
import { useChange } from '../../forms/use-change.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { CreateEndpointDialog } from './create-endpoint-dialog.tsx'
import { DeleteEndpointDialog } from './delete-endpoint-dialog.tsx'
import { SendList } from './send-list.tsx'
import classes from './settings-page.module.css'

/** Who is told what happens. */
export function Webhooks() {
  const { cursor, toTablePages } = useCursorPages()
  const endpoints = useQuery({ ...endpointsQuery(cursor), placeholderData: keepPreviousData })
  const [isCreating, setCreating] = useState(false)
  const [removed, setRemoved] = useState<WebhookEndpointResource | null>(null)
  const [shownId, setShownId] = useState<string | null>(null)
  return (
    <Section
      title="Webhook endpoints"
      description="Addresses of yours that Docent tells what happens. Each message is signed."
      action={
        <Button look="primary" onClick={() => setCreating(true)}>
          <Plus size={16} aria-hidden /> Add endpoint
        </Button>
      }
    >
      <Loaded query={endpoints}>
        {({ items, nextCursor }) =>
          items.length === 0 && cursor === null ? (
            <EmptyState icon={<Webhook aria-hidden />} title="No endpoints yet">
              Add the address of a program of yours that is to know when a job has ended, a pull request is merged, or a
              sync has failed.
            </EmptyState>
          ) : (
            <>
              <EndpointTable
                endpoints={items}
                pages={toTablePages(nextCursor)}
                onRemove={setRemoved}
                onShow={({ id }) => setShownId(id)}
              />
              <ShownSends endpoint={items.find(({ id }) => id === shownId)} />
            </>
          )
        }
      </Loaded>
      <CreateEndpointDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      <DeleteEndpointDialog endpoint={removed} onClose={() => setRemoved(null)} />
    </Section>
  )
}

function ShownSends({ endpoint }: { endpoint: WebhookEndpointResource | undefined }) {
  return endpoint === undefined ? null : <SendList key={endpoint.id} endpoint={endpoint} />
}

interface EndpointTableProps {
  endpoints: readonly WebhookEndpointResource[]
  pages: ReturnType<ReturnType<typeof useCursorPages>['toTablePages']>
  onRemove(endpoint: WebhookEndpointResource): void
  onShow(endpoint: WebhookEndpointResource): void
}

function EndpointTable({ endpoints, pages, onRemove, onShow }: EndpointTableProps) {
  const columns: [Column<WebhookEndpointResource>, ...Column<WebhookEndpointResource>[]] = [
    {
      title: 'Endpoint',
      render: ({ name, url }) => (
        <div className={classes.stack}>
          <strong>{name}</strong>
          <code>{url}</code>
        </div>
      ),
    },
    {
      title: 'Told of',
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
    { title: 'State', render: (endpoint) => <EndpointState endpoint={endpoint} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'end',
      render: (endpoint) => <EndpointMenu endpoint={endpoint} onRemove={onRemove} onShow={onShow} />,
    },
  ]
  return (
    <DataTable
      caption="Webhook endpoints"
      columns={columns}
      rows={endpoints}
      keyOf={({ id }) => id}
      pages={pages}
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
          <Badge tone="neutral">Switched off</Badge>
        </span>
        {disabledReason === null ? null : <span>{disabledReason}</span>}
      </div>
    )
  }
  return failingSince === null ? <Badge tone="success">On</Badge> : <Badge tone="danger">Failing</Badge>
}

function EndpointMenu({
  endpoint,
  onRemove,
  onShow,
}: Pick<EndpointTableProps, 'onRemove' | 'onShow'> & { endpoint: WebhookEndpointResource }) {
  const test = useChange({
    send: testEndpoint,
    done: 'A test is on its way.',
    stale: ['webhook-sends'],
    onDone: () => onShow(endpoint),
    hasFailureToast: true,
  })
  const change = useChange({
    send: (enabled: boolean) => changeEndpoint(endpoint.id, { enabled }),
    stale: ['webhook-endpoints'],
    hasFailureToast: true,
  })
  return (
    <Menu
      trigger={
        <IconButton size="small" label={`Actions for ${endpoint.name}`}>
          <Ellipsis size={17} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => onShow(endpoint)}>Show deliveries</MenuItem>
      <MenuItem onSelect={() => test.mutate(endpoint.id)}>Send a test</MenuItem>
      <MenuItem onSelect={() => change.mutate(!endpoint.enabled)}>
        {endpoint.enabled ? 'Switch off' : 'Switch on'}
      </MenuItem>
      <MenuItem isDangerous onSelect={() => onRemove(endpoint)}>
        Delete …
      </MenuItem>
    </Menu>
  )
}
