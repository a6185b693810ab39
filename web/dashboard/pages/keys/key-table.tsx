import { Ban, Ellipsis, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import type { KeyPurpose } from '../../../../src/contract/key-defaults.ts'
import type { KeyResource, SiteResource } from '../../../../src/contract/admin.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { BulkChange } from '../../forms/bulk-change.tsx'
import { describeKeyState, isUnused, maskKey } from './key-state.ts'
import classes from './key-table.module.css'
import { ListTable } from '../../shell/list-table.tsx'
import type { PagedList } from '../../api/use-pages.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { call, type ItemOf } from '../../api/call.ts'
import type { usageOperations } from '../../../../src/contract/operations/usage.ts'
import { language } from '../../../words/language.ts'
import { say, sayCount } from '../../../words/say.ts'

type KeyUsage = ItemOf<typeof usageOperations.listKeyUsage>

export interface KeyTableProps {
  list: PagedList<KeyResource>
  sites: readonly SiteResource[]
  /** Empty until loaded. */
  usage: readonly KeyUsage[]
  empty: ReactNode
  /** Omitted for users who may not change keys. */
  actions?: KeyActionsOf
}

interface KeyActionsOf {
  onChange(key: KeyResource): void
  onRevoke(key: KeyResource): void
}

export function KeyTable({ list, sites, usage, empty, actions }: KeyTableProps) {
  const now = Date.now()
  const columns: [Column<KeyResource>, ...Column<KeyResource>[]] = [
    { title: say('Key'), sortBy: ({ name }) => name, render: (key) => <KeyName apiKey={key} /> },
    {
      title: say('For'),
      sortBy: ({ kind, siteId }) => `${kind} ${siteId ?? ''}`,
      render: (key) => describeReach(key, sites),
    },
    { title: say('Allowed from'), render: describeOrigin },
    {
      title: say('Usage this month'),
      sortBy: (key) => usage.find(({ id }) => id === key.id)?.used ?? null,
      render: (key) => <KeyUse usage={usage.find(({ id }) => id === key.id)} apiKey={key} />,
    },
    {
      title: say('Created'),
      isExtra: true,
      sortBy: ({ createdAt }) => createdAt,
      render: ({ createdAt }) => <TimeText time={createdAt} />,
    },
    {
      title: say('Last used'),
      sortBy: ({ lastUsedAt }) => lastUsedAt,
      render: ({ lastUsedAt }) => describeMoment(lastUsedAt, say('never')),
    },
    {
      title: say('Expires'),
      sortBy: ({ expiresAt }) => expiresAt,
      render: ({ expiresAt }) => describeMoment(expiresAt, say('never')),
    },
    {
      title: say('State'),
      sortBy: (key) => describeKeyState(key, now).label,
      render: (key) => {
        const { tone, label } = describeKeyState(key, now)
        return <Badge tone={tone}>{label}</Badge>
      },
    },
  ]
  if (actions !== undefined) {
    columns.push({
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: (key) => (key.revokedAt === null ? <KeyActions apiKey={key} {...actions} /> : null),
    })
  }
  return (
    <ListTable
      list={list}
      caption={say('API keys')}
      columns={columns}
      empty={empty}
      skeleton={<Skeleton count={5} />}
      bulkActions={actions === undefined ? undefined : (chosen) => <RevokeKeys chosen={chosen} />}
      isDimmed={(key) => !describeKeyState(key, now).isUsable}
    />
  )
}

/** One in use is revoked by its own menu, which asks for its name. */
function RevokeKeys({ chosen }: { chosen: readonly KeyResource[] }) {
  const unused = chosen.filter((key) => key.revokedAt === null && isUnused(key, Date.now()))
  return (
    <BulkChange
      rows={unused}
      send={({ id }) => call(keyOperations.revokeKey, { params: { id } })}
      undo={({ id }) => call(keyOperations.restoreKey, { params: { id } })}
      done={say('Revoked')}
      stale={['listKeys']}
    >
      {sayCount(unused.length, 'Revoke {count} unused key', 'Revoke {count} unused keys')}
    </BulkChange>
  )
}

function KeyName({ apiKey }: { apiKey: KeyResource }) {
  return (
    <div className={classes.name}>
      <strong>{apiKey.name}</strong>
      <code className={classes.hint}>{maskKey(apiKey)}</code>
    </div>
  )
}

const usedBy: Readonly<Record<KeyPurpose, string>> = {
  website: say('a website'),
  server: say('a server'),
  pages: say('served pages'),
}

function describeReach(
  { kind, purpose, siteId, scopes, groups, session }: KeyResource,
  sites: readonly SiteResource[],
): ReactNode {
  const site = sites.find(({ id }) => id === siteId)
  return (
    <div className={classes.stack}>
      <span>
        {kind === 'admin' ? say('Admin') : say('Assistant, for {usedBy}', { usedBy: usedBy[purpose ?? 'server'] })}
      </span>
      <span className={classes.muted}>
        {kind === 'admin'
          ? new Intl.ListFormat(language).format(scopes.map((scope) => scopeNames[scope]))
          : (site?.name ?? say('deleted site'))}
      </span>
      {groups.length === 0 ? null : (
        <span className={classes.muted}>{say('groups {groups}', { groups: groups.join(', ') })}</span>
      )}
      {session === 'off' ? null : (
        <span className={classes.muted}>
          {session === 'always' ? say('session required') : say('session required above the normal rate')}
        </span>
      )}
    </div>
  )
}

function describeOrigin({ ipRanges, origins, purpose }: KeyResource): ReactNode {
  const places = [...ipRanges, ...(purpose === 'pages' ? [say('this service')] : []), ...origins]
  if (places.length === 0) return <span className={classes.muted}>{say('anywhere')}</span>
  return (
    <ul className={classes.stack}>
      {places.map((place) => (
        <li key={place}>
          <code>{place}</code>
        </li>
      ))}
    </ul>
  )
}

function KeyUse({ usage, apiKey }: { usage: KeyUsage | undefined; apiKey: KeyResource }) {
  if (apiKey.kind === 'admin' || usage === undefined) return <span className={classes.muted}>–</span>
  return <Meter label={say('Usage of {name} this month', { name: apiKey.name })} value={usage.used} max={usage.max} />
}

function describeMoment(time: string | null, otherwise: string): ReactNode {
  return time === null ? <span className={classes.muted}>{otherwise}</span> : <TimeText time={time} />
}

function KeyActions({ apiKey, onChange, onRevoke }: KeyActionsOf & { apiKey: KeyResource }) {
  return (
    <Menu
      trigger={
        <IconButton size="small" label={say('Actions for {name}', { name: apiKey.name })}>
          <Ellipsis size={17} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => onChange(apiKey)}>
        {say('Edit …')}
      </MenuItem>
      <MenuItem icon={<Ban size={16} aria-hidden />} isDangerous onSelect={() => onRevoke(apiKey)}>
        {say('Revoke …')}
      </MenuItem>
    </Menu>
  )
}

const scopeNames = { read: say('read'), write: say('write') } as const
