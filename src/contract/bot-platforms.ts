// Without schemas, so that the dashboard can load it anywhere.

/** Chat platforms that bots answer on. */
export const botPlatforms = ['slack', 'discord'] as const
export type BotPlatformName = (typeof botPlatforms)[number]

export const botPlatformLabels: Readonly<Record<BotPlatformName, string>> = { slack: 'Slack', discord: 'Discord' }
