import { Send } from 'lucide-react'
import { minuteMs } from '../../../ui/durations.ts'
import type { WebhookEndpointResource, WebhookSendResource } from '../../../../src/contract/webhooks.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useChange } from '../../forms/use-change.ts'
import classes from './settings-page.module.css'
import { webhookOperations } from '../../../../src/contract/operations/webhooks.ts'
import { usePages } from '../../api/use-pages.ts'
import { ListTable } from '../../shell/list-table.tsx'
import { call } from '../../api/call.ts'
import { language } from '../../../words/language.ts'
import { say, sayParts } from '../../../words/say.ts'

const states: Readonly<Record<WebhookSendResource['state'], { tone: Tone; label: string }>> = {
  queued: { tone: 'accent', label: say('Sending') },
  succeeded: { tone: 'success', label: say('Delivered') },
  failed: { tone: 'danger', label: say('Failed') },
}

/** Polling interval while a delivery is pending. */
const sendPollMs = 2_000

/** Deliveries to an endpoint and their outcomes. */
export function SendList({ endpoint }: { endpoint: WebhookEndpointResource }) {
  const list = usePages(
    webhookOperations.listWebhookDeliveries,
    { params: { id: endpoint.id } },
    {
      rowsOfPage: 15,
      refetchInterval: (page) => (page?.items.some(({ state }) => state === 'queued') === true ? sendPollMs : false),
    },
  )
  const empty = (
    <EmptyState icon={<Send aria-hidden />} title={say('No deliveries yet')}>
      {say('Events appear here when they are sent. To try the endpoint, choose “Send test event” in its menu.')}
    </EmptyState>
  )
  return (
    <Section
      title={say('Deliveries to {name}', { name: endpoint.name })}
      description={say('Failed deliveries are retried for a day.')}
    >
      <ListTable
        list={list}
        caption={say('Deliveries to {name}', { name: endpoint.name })}
        columns={columns}
        empty={empty}
      />
    </Section>
  )
}

const columns: [Column<WebhookSendResource>, ...Column<WebhookSendResource>[]] = [
  { title: say('Event'), render: ({ type }) => <code>{type}</code> },
  { title: say('State'), render: (send) => <SendState send={send} /> },
  { title: say('Outcome'), render: (send) => <Outcome send={send} /> },
  { title: say('Attempts'), align: 'end', render: ({ tries }) => tries.toLocaleString(language) },
  { title: say('Created'), render: ({ createdAt }) => <TimeText time={createdAt} /> },
  { title: say('Actions'), isTitleHidden: true, align: 'end', render: (send) => <RetryButton send={send} /> },
]

function SendState({ send: { state, tries } }: { send: WebhookSendResource }) {
  const isRepeated = state === 'queued' && tries > 0
  const { tone, label } = isRepeated ? { tone: 'warning' as const, label: say('Retrying') } : states[state]
  return <Badge tone={tone}>{label}</Badge>
}

function NextTry({ time }: { time: string }) {
  if (Date.parse(time) - Date.now() < minuteMs) return <span>{say('Next attempt in a moment')}</span>
  return <span>{sayParts('Next attempt {time}', { time: <TimeText time={time} /> })}</span>
}

function Outcome({ send }: { send: WebhookSendResource }) {
  const { status, failure, reply, nextTryAt, state, tries, durationMs } = send
  return (
    <div className={classes.stack}>
      {status === null ? null : (
        <span>
          {durationMs === null
            ? say('Status {status}', { status: String(status) })
            : say('Status {status} in {durationMs} ms', { status: String(status), durationMs })}
        </span>
      )}
      {failure === null ? null : <span>{failure}</span>}
      {reply === null || reply === '' ? null : <code className={classes.reply}>{reply}</code>}
      {state === 'queued' && tries > 0 && nextTryAt !== null ? <NextTry time={nextTryAt} /> : null}
    </div>
  )
}

function RetryButton({ send }: { send: WebhookSendResource }) {
  const retry = useChange({
    send: (id: string) => call(webhookOperations.retryWebhookDelivery, { params: { id } }),
    done: say('Delivery queued again.'),
    stale: ['listWebhookDeliveries'],
    hasFailureToast: true,
  })
  // Without an attempt yet, it is already being sent.
  if (send.tries === 0) return null
  return (
    <Button size="small" isBusy={retry.isPending} onClick={() => retry.mutate(send.id)}>
      {say('Send again')}
    </Button>
  )
}
