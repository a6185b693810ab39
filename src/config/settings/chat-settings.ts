import { httpUrl, setting } from './setting-shapes.ts'

const address = httpUrl.transform((url) => url.replace(/\/+$/, ''))

export const chatSettings = {
  slackUrl: setting(address.default('https://slack.com'), {
    env: 'DOCENT_SLACK_URL',
    description:
      "The address of Slack's API, to use a proxy or a stand-in in tests. An address other than the default also receives the replies that otherwise go to `https://hooks.slack.com`.",
  }),
  discordApiUrl: setting(address.default('https://discord.com/api/v10'), {
    env: 'DOCENT_DISCORD_API_URL',
    description: "The address of Discord's API, to use a proxy or a stand-in in tests.",
  }),
}
