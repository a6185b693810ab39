import { httpUrl, setting } from './setting-shapes.ts'

const address = httpUrl.transform((url) => url.replace(/\/+$/, ''))

export const chatSettings = {
  slackUrl: setting(address.default('https://slack.com'), {
    env: 'DOCENT_SLACK_URL',
    description:
      'Where Slack is reached, for a proxy or a stand-in in tests. Another address also receives the replies that otherwise go to `https://hooks.slack.com`.',
  }),
  discordApiUrl: setting(address.default('https://discord.com/api/v10'), {
    env: 'DOCENT_DISCORD_API_URL',
    description: "Where Discord's API is reached, for a proxy or a stand-in in tests.",
  }),
}
