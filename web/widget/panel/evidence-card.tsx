/** @jsxImportSource preact */
import { listTexts } from '../../../packages/docent-client/src/answer-texts.ts'
import { listHeadings, readQuote, readWebAddress } from '../../citations/describe-citation.ts'
import { copyText } from './copy-text.ts'
import { followCitation, setAddress } from './follow-link.ts'
import { IconButton } from './icon.tsx'
import { type PanelContext, showEvidence } from './panel-context.ts'

/** The passage that a sentence rests on. Stands above the field, where it covers and moves nothing that is read. */
export function EvidenceCard({ context }: { context: PanelContext }) {
  const { evidence, conversation, say } = context
  const turn = evidence && conversation.turns[evidence.turn]
  const citation = turn && listTexts(turn)[evidence.text]?.citations[evidence.citation]
  if (!citation) return null
  const doubts = { partial: 'partialMeaning', missing: 'missingMeaning' } as const
  const { verdict } = citation
  const address = readWebAddress(citation.url)
  return (
    <div class="evid" role="group" aria-label={say('source', { number: citation.number })}>
      <div class="head">
        <span class="cite lit" aria-hidden="true">
          {citation.number}
        </span>
        <span class="crumb">{listHeadings(citation).join(' › ')}</span>
        {address === null ? null : (
          <a
            class="link open"
            ref={(link) => setAddress(link, address, context)}
            onClick={(event) => followCitation(event, citation, context)}
          >
            {say('openPage')}
          </a>
        )}
        {address === null ? null : (
          <IconButton
            icon="link"
            label={say('copyPassageLink')}
            isSmall
            onClick={() => void copyLink(context, address)}
          />
        )}
        <IconButton icon="close" label={say('hideSource')} isSmall onClick={() => showEvidence(context, null)} />
      </div>
      <p dir="auto">
        <mark>{readQuote(citation)}</mark>
      </p>
      {verdict === 'partial' || verdict === 'missing' ? (
        <p>
          <b>{say(verdict)}.</b> {say(doubts[verdict])}
        </p>
      ) : null}
    </div>
  )
}

async function copyLink({ announcer, say }: PanelContext, address: string): Promise<void> {
  announcer.say(say((await copyText(address)) ? 'copied' : 'copyRefused'))
}
