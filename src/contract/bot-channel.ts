import type { BotSettings } from './bots.ts'

type Channel = BotSettings['channels'][number]

const groupPrefix = 'group='

/** Reads a channel as people write it: `C012`, `C012,auto`, `C012,group=partners`. The service checks the id. */
export function readBotChannel(text: string): Channel {
  const [id = '', ...words] = text.split(',').map((word) => word.trim())
  const groups = words.filter((word) => word.startsWith(groupPrefix)).map((word) => word.slice(groupPrefix.length))
  return { id, autoReply: words.includes('auto'), groups }
}

export function writeBotChannel({ id, autoReply, groups }: Channel): string {
  return [id, ...(autoReply ? ['auto'] : []), ...groups.map((group) => groupPrefix + group)].join(',')
}
