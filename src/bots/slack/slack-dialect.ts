import { bindSpaces, breakFences, breakMentions, type ChatDialect, replaceBackticks } from '../text/chat-dialect.ts'

/** Slack reads mentions and links only within angle brackets. @see https://docs.slack.dev/messaging/formatting-message-text */
function escapeControls(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Slack's mrkdwn, for blocks with `verbatim`. */
export const slackDialect: ChatDialect = {
  escape: (text) => breakMentions(escapeControls(text)),
  bold: (text) => (text.trim() === '' ? text : `*${text}*`),
  italic: (text) => (text.trim() === '' ? text : `_${text}_`),
  code: (text) => `\`${replaceBackticks(escapeControls(text))}\``,
  codeLine: (text) => breakFences(escapeControls(text)),
  // A bar would end the address, and the label cannot contain one.
  link: (label, url) =>
    `<${escapeControls(url).replaceAll('|', '%7C')}|${bindSpaces(escapeControls(label)).replaceAll('|', '¦')}>`,
}

/** Reads the text of a message as plain text: mentions and links become their names. */
export function readSlackText(text: string, botUserId: string): string {
  return text
    .replaceAll(new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>`, 'g'), ' ')
    .replaceAll(/<([^<>]*)>/g, (_, inner: string) => readControl(inner))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim()
}

function readControl(inner: string): string {
  const [target = '', label] = inner.split('|')
  if (label !== undefined && label !== '') return label
  return target.startsWith('!') ? `@${target.slice(1)}` : target.replace(/^mailto:/, '')
}
