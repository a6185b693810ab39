import { listSources } from '../../../packages/docent-client/src/answer-sources.ts'
import { listTexts } from '../../../packages/docent-client/src/answer-texts.ts'
import { linkCitations } from '../../../packages/docent-client/src/cited-pieces.ts'
import { readWebAddress } from '../../citations/describe-citation.ts'
import type { Say } from '../words/make-say.ts'
import type { Turn } from './turn.ts'

/** An answer as Markdown: its text with the numbers of its sources, which are listed below by number. */
export function writeAnswer(say: Say, turn: Turn): string {
  const texts = listTexts(turn).map((text) =>
    linkCitations(text).replace(/\[(\d+)\]\(#docent-citation-\d+\)/g, (_, number: string) => `[${number}]`),
  )
  const sources = listSources(turn)
    .filter(({ url }) => readWebAddress(url) !== null)
    .map(
      ({ number, title, url }) =>
        `${number}. [${title.replace(/[[\]\\]/g, '\\$&')}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`,
    )
  const list = sources.length === 0 ? [] : [`${say('sources')}:\n\n${sources.join('\n')}`]
  return [...texts.filter((text) => text !== ''), ...list].join('\n\n')
}
