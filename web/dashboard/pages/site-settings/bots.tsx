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
import { say } from '../../../words/say.ts'

/** Bots that answer questions about the site in chats. */
export function Bots({ site }: { site: SiteResource }) {
  const bots = useQuery(queryOf(botOperations.listBots, { params: { id: site.id } }))
  const [opened, setOpened] = useState<BotPlatformName | null>(null)
  const [removed, setRemoved] = useState<BotResource | null>(null)
  return (
    <Section title={say('Bots')} description={say('Bots that answer questions about this site on Slack and Discord.')}>
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
      {say('Connect {platform}', { platform: botPlatformLabels[name] })}
    </Button>
  ))
  if (bots.length === 0) {
    return (
      <EmptyState
        icon={<MessagesSquare aria-hidden />}
        title={say('No bots')}
        action={<FormActions>{buttons}</FormActions>}
      >
        {say('Nobody can ask about this site in a chat yet.')}
      </EmptyState>
    )
  }
  return (
    <>
      <DataTable caption={say('Bots')} columns={toColumns(onConnect, onRemove)} rows={bots} keyOf={({ id }) => id} />
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
    { title: say('Bot'), render: ({ platform, name }) => `${botPlatformLabels[platform]}: ${name}` },
    {
      title: say('Channels'),
      render: ({ settings: { channels } }) =>
        channels.length === 0 ? say('All') : say('{channels} chosen', { channels: channels.length }),
    },
    {
      title: say('Last event'),
      render: ({ failure, lastEventAt }) =>
        failure ?? (lastEventAt === null ? say('None yet') : <TimeText time={lastEventAt} />),
    },
    {
      title: say('Actions'),
      isTitleHidden: true,
      align: 'end',
      render: (bot) => (
        <>
          <Button
            size="small"
            aria-label={say('Change {platform}', { platform: botPlatformLabels[bot.platform] })}
            onClick={() => onChange(bot.platform)}
          >
            {say('Change')}
          </Button>
          <IconButton
            size="small"
            label={say('Remove {platform}', { platform: botPlatformLabels[bot.platform] })}
            onClick={() => onRemove(bot)}
          >
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
      title={say('Remove the {platform} bot?', { platform: bot === null ? '' : botPlatformLabels[bot.platform] })}
      action={say('Remove')}
      change={remove}
      input={bot}
      onClose={onClose}
    >
      {say('Docent forgets its token and no longer answers there. The app itself stays until you delete it.')}
    </ConfirmChange>
  )
}
