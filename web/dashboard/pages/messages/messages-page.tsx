import { getRouteApi, Link } from '@tanstack/react-router'
import { Ellipsis, Mail } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { HandOverResource } from '../../../../src/contract/hand-over.ts'
import { handOverOperations } from '../../../../src/contract/operations/hand-overs.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { call } from '../../api/call.ts'
import { useMay } from '../../api/session.ts'
import { usePages } from '../../api/use-pages.ts'
import { BulkChange } from '../../forms/bulk-change.tsx'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { ListTable } from '../../shell/list-table.tsx'
import { SiteScope } from '../../shell/site-scope.tsx'
import classes from './messages-page.module.css'
import { say } from '../../../words/say.ts'

const route = getRouteApi('/signed-in/$organization/$domain/messages')

const channels = { email: 'E-mail', issue: say('Issue') } as const
const stateTones = { queued: 'neutral', succeeded: 'success', failed: 'danger' } as const
const stateWords = { queued: 'queued', succeeded: 'sent', failed: say('not sent') } as const

export function MessagesPage() {
  return (
    <>
      <PageHeader title={say('Messages')}>
        {say('What readers wrote to you when the documentation did not help.')}
      </PageHeader>
      <SiteScope>{(site) => <MessageList key={site.id} site={site} />}</SiteScope>
    </>
  )
}

function MessageList({ site }: { site: SiteResource }) {
  const list = usePages(handOverOperations.listHandOvers, { params: { id: site.id } })
  const mayEdit = useMay('editor')
  const columns: [Column<HandOverResource>, ...Column<HandOverResource>[]] = [
    { title: say('Message'), render: (message) => <Message message={message} /> },
    { title: say('Sent'), render: ({ sends }) => <Sends sends={sends} /> },
    { title: say('State'), sortBy: ({ state }) => state, render: ({ state }) => <StateBadge state={state} /> },
    {
      title: say('Received'),
      sortBy: ({ createdAt }) => createdAt,
      render: ({ createdAt }) => <TimeText time={createdAt} />,
    },
    {
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: (message) => (mayEdit ? <MessageMenu message={message} /> : null),
    },
  ]
  const empty = (
    <EmptyState icon={<Mail aria-hidden />} title={say('No messages yet')}>
      {site.settings.handOver === null
        ? say("Readers cannot write to you. Turn this on in the site's settings.")
        : say('Messages from readers appear here.')}
    </EmptyState>
  )
  const isDone = ({ state }: HandOverResource) => state === 'done'
  return (
    <ListTable
      list={list}
      caption={say('Messages')}
      columns={columns}
      empty={empty}
      isDimmed={isDone}
      bulkActions={mayEdit ? (chosen) => <MarkDone chosen={chosen.filter((each) => !isDone(each))} /> : undefined}
    />
  )
}

function MarkDone({ chosen }: { chosen: readonly HandOverResource[] }) {
  const mark = (state: HandOverResource['state']) => (message: HandOverResource) => markMessage(message, state)
  return (
    <BulkChange
      rows={chosen}
      send={mark('done')}
      undo={mark('new')}
      done={say('Marked as done')}
      stale={['listHandOvers']}
    >
      {say('Mark as done')}
    </BulkChange>
  )
}

function markMessage({ id, siteId }: HandOverResource, state: HandOverResource['state']) {
  return call(handOverOperations.updateHandOver, { params: { id: siteId, handOverId: id }, body: { state } })
}

function Message({ message: { fields, page, threadId } }: { message: HandOverResource }) {
  const params = route.useParams()
  return (
    <div className={classes.message}>
      {fields.map(({ label, value }) => (
        <p key={label}>
          <strong>{label}:</strong> {value}
        </p>
      ))}
      {page === null ? null : <code>{page}</code>}
      {threadId === null ? null : (
        <Link to="/$organization/$domain/conversations/$thread" params={{ ...params, thread: threadId }}>
          {say('Conversation')}
        </Link>
      )}
    </div>
  )
}

function Sends({ sends }: Pick<HandOverResource, 'sends'>) {
  if (sends.length === 0) return '–'
  return (
    <ul className={classes.message}>
      {sends.map(({ channel, state, failure, url }) => (
        <li key={channel}>
          <Badge tone={stateTones[state]}>
            {channels[channel]} {stateWords[state]}
          </Badge>
          {url === null ? null : <ExternalLink href={url}>{say('Open')}</ExternalLink>}
          {state === 'succeeded' || failure === null ? null : <p>{failure}</p>}
        </li>
      ))}
    </ul>
  )
}

function StateBadge({ state }: Pick<HandOverResource, 'state'>) {
  return state === 'new' ? <Badge tone="accent">{say('New')}</Badge> : <Badge tone="neutral">{say('Done')}</Badge>
}

function MessageMenu({ message }: { message: HandOverResource }) {
  const { id, siteId, state, sends } = message
  const params = { id: siteId, handOverId: id }
  const shared = { stale: ['listHandOvers'] as const, hasFailureToast: true }
  const next = state === 'new' ? 'done' : 'new'
  const change = useChange({
    ...shared,
    send: () => markMessage(message, next),
    done: next === 'done' ? say('Marked as done.') : say('Marked as new.'),
    undo: () => () => markMessage(message, state),
  })
  const retry = useChange({ ...shared, send: () => call(handOverOperations.retryHandOver, { params }) })
  const remove = useChange({
    ...shared,
    send: (_id: string) => call(handOverOperations.deleteHandOver, { params }),
    done: say('Message deleted.'),
  })
  const [asks, setAsks] = useState(false)
  const isOwner = useMay('owner')
  const hasFailed = sends.some((send) => send.state === 'failed')
  return (
    <>
      <Menu
        trigger={
          <IconButton size="small" label={say('Actions for the message')}>
            <Ellipsis size={17} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => change.mutate()}>
          {state === 'new' ? say('Mark as done') : say('Mark as new')}
        </MenuItem>
        {hasFailed ? <MenuItem onSelect={() => retry.mutate()}>{say('Send again')}</MenuItem> : null}
        {isOwner ? (
          <MenuItem isDangerous onSelect={() => setAsks(true)}>
            {say('Delete …')}
          </MenuItem>
        ) : null}
      </Menu>
      <ConfirmChange
        title={say('Delete this message?')}
        action={say('Delete')}
        change={remove}
        input={asks ? id : null}
        onClose={() => setAsks(false)}
      >
        {say('It is permanently deleted here. E-mails and issues that were sent stay.')}
      </ConfirmChange>
    </>
  )
}
