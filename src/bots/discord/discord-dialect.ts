import { bindSpaces, breakFences, breakMentions, type ChatDialect, replaceBackticks } from '../text/chat-dialect.ts'

function escapeMarkup(text: string): string {
  const inline = text.replaceAll(/[\\*_~`|[\]<>]/g, String.raw`\$&`)
  return breakMentions(inline.replaceAll(/^([ \t]*)([#+-])/gm, String.raw`$1\$2`))
}

/** Discord's Markdown. Mentions notify nobody in any case: `allowed_mentions` forbids it. */
export const discordDialect: ChatDialect = {
  escape: escapeMarkup,
  bold: (text) => (text.trim() === '' ? text : `**${text}**`),
  italic: (text) => (text.trim() === '' ? text : `*${text}*`),
  code: (text) => `\`${replaceBackticks(text)}\``,
  codeLine: breakFences,
  // Angle brackets keep Discord from showing a preview.
  link: (label, url) => `[${bindSpaces(escapeMarkup(label))}](<${url}>)`,
}
