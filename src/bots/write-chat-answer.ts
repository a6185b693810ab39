import type { Citation } from '../contract/citations.ts'
import type { Message } from '../store/answers/messages.ts'
import type { BotPlatform } from './bot-platform.ts'
import { packBlocks } from './text/pack-blocks.ts'
import { type ChatBlock, writeChatLink, writeChatText } from './text/write-chat-text.ts'

/** Writes Markdown as sections of messages. */
export function writeSections({ dialect, sectionCharsMax }: BotPlatform, markdown: string): string[] {
  return packBlocks(writeChatText(markdown, dialect), sectionCharsMax)
}

/** Writes an answer with a numbered list of its sources. The numbers are those of the marks in its text. */
export function writeChatAnswer(platform: BotPlatform, { text, citations, sources }: Message): string[] {
  const { dialect, sectionCharsMax } = platform
  const numbered = numberSources(citations)
  const listed =
    numbered.length > 0 ? numbered : sources.map((source, index) => ({ ...source, number: `${index + 1}` }))
  const lines = listed.map(({ number, title, url }, index): ChatBlock => {
    const link = writeChatLink({ label: title, url }, dialect)
    return { text: `${number}. ${link}`, code: null, isTight: index > 0 }
  })
  return packBlocks([...writeChatText(text, dialect), ...lines], sectionCharsMax)
}

type NumberedSource = Pick<Citation, 'number' | 'title' | 'url'>

function numberSources(citations: readonly Citation[]): NumberedSource[] {
  const byNumber = new Map(citations.map((citation) => [citation.number, citation]))
  return [...byNumber.values()].toSorted((a, b) => Number(a.number) - Number(b.number))
}
