import { useQuery } from '@tanstack/react-query'
import { MessagesSquare, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { type BotPlatformName, botPlatformLabels } from '../../../../src/contract/bot-platforms.ts'
import type { BotResource } from '../../../../src/contract/bots.ts'
import { botOperations } from '../../../../src/contract/operations/bots.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { call, queryOf } from '../../api/call.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { BotDialog } from './bot-dialog.tsx'

/** Bots that answer questions about the site in chats. */
export function Bots({ site }: { site: SiteResource }) {
  const bots = useQuery(queryOf(botOperations.listBots, { params: { id: site.id } }))
  const [opened, setOpened] = useState<BotPlatformName | null>(null)
  const [removed, setRemoved] = useState<BotResource | null>(null)
  return (
    <Section title="Bots" description="Bots that answer questions about this site on Slack and Discord.">
      <Loaded query={bots}>
        {({ items }) => (
          <>
            <BotList bots={items} onConnect={setOpened} onRemove={setRemoved} />
            <BotDialog
              site={site}
              platform={opened}
              bot={items.find(({ platform }) => platform === opened) ?? null}
              onClose={() => setOpened(null)}
            />
          </>
        )}
      </Loaded>
      <RemoveBot bot={removed} onClose={() => setRemoved(null)} />
    </Section>
  )
}

interface BotListProps {
  bots: readonly BotResource[]
  onConnect(platform: BotPlatformName): void
  onRemove(bot: BotResource): void
}

function BotList({ bots, onConnect, onRemove }: BotListProps) {
  const names = Object.keys(botPlatformLabels) as BotPlatformName[] // `Object.keys` loses the names.
  const missing = names.filter((name) => bots.every(({ platform }) => platform !== name))
  const buttons = missing.map((name) => (
    <Button key={name} data-command={botOperations.connectBot.id} onClick={() => onConnect(name)}>
      Connect {botPlatformLabels[name]}
    </Button>
  ))
  if (bots.length === 0) {
    return (
      <EmptyState icon={<MessagesSquare aria-hidden />} title="No bots" action={<FormActions>{buttons}</FormActions>}>
        Nobody can ask about this site in a chat.
      </EmptyState>
    )
  }
  return (
    <>
      <DataTable caption="Bots" columns={toColumns(onConnect, onRemove)} rows={bots} keyOf={({ id }) => id} />
      {missing.length === 0 ? null : <FormActions>{buttons}</FormActions>}
    </>
  )
}

type BotColumn = Column<BotResource>

function toColumns(
  onChange: BotListProps['onConnect'],
  onRemove: BotListProps['onRemove'],
): [BotColumn, BotColumn, BotColumn, BotColumn] {
  return [
    { title: 'Bot', render: ({ platform, name }) => `${botPlatformLabels[platform]}: ${name}` },
    {
      title: 'Channels',
      render: ({ settings: { channels } }) => (channels.length === 0 ? 'All' : `${channels.length} chosen`),
    },
    {
      title: 'Last event',
      render: ({ failure, lastEventAt }) =>
        failure ?? (lastEventAt === null ? 'None yet' : <TimeText time={lastEventAt} />),
    },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'end',
      render: (bot) => (
        <>
          <Button
            size="small"
            aria-label={`Change ${botPlatformLabels[bot.platform]}`}
            onClick={() => onChange(bot.platform)}
          >
            Change
          </Button>
          <IconButton size="small" label={`Remove ${botPlatformLabels[bot.platform]}`} onClick={() => onRemove(bot)}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </>
      ),
    },
  ]
}

function RemoveBot({ bot, onClose }: { bot: BotResource | null; onClose(): void }) {
  const remove = useChange({
    send: ({ siteId, platform }: BotResource) => call(botOperations.removeBot, { params: { id: siteId, platform } }),
    stale: ['listBots'],
  })
  return (
    <ConfirmChange
      title={`Remove the ${bot === null ? '' : botPlatformLabels[bot.platform]} bot?`}
      action="Remove"
      change={remove}
      input={bot}
      onClose={onClose}
    >
      Docent forgets its token and no longer answers there. The app itself stays until you delete it.
    </ConfirmChange>
  )
}
