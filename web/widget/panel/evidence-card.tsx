/** @jsxImportSource preact */
import { listTexts } from '../../../packages/docent-client/src/answer-texts.ts'
import { listHeadings, readQuote, readWebAddress } from '../../citations/describe-citation.ts'
import { sentenceVerdictWords } from '../../citations/sentence-verdict-words.ts'
import { followCitation, setAddress } from './follow-link.ts'
import { IconButton } from './icon.tsx'
import { type PanelContext, showEvidence } from './panel-context.ts'

/** The passage that a sentence rests on. Stands above the field, where it covers and moves nothing that is read. */
export function EvidenceCard({ context }: { context: PanelContext }) {
  const { evidence, conversation } = context
  const turn = evidence && conversation.turns[evidence.turn]
  const citation = turn && listTexts(turn)[evidence.text]?.citations[evidence.citation]
  if (!citation) return null
  const { label, sentence } = sentenceVerdictWords[citation.verdict]
  const isDoubtful = citation.verdict === 'partial' || citation.verdict === 'missing'
  const address = readWebAddress(citation.url)
  return (
    <div class="evid" role="group" aria-label={`Source ${citation.number}`}>
      <div class="head">
        <span class="cite lit" aria-hidden="true">
          {citation.number}
        </span>
        <span class="crumb">{listHeadings(citation).join(' › ')}</span>
        {address === null ? null : (
          <a
            class="link open"
            ref={(link) => setAddress(link, address)}
            onClick={(event) => followCitation(event, citation, context)}
          >
            Open page
          </a>
        )}
        <IconButton icon="close" label="Hide source" isSmall onClick={() => showEvidence(context, null)} />
      </div>
      <p dir="auto">
        <mark>{readQuote(citation)}</mark>
      </p>
      {isDoubtful ? (
        <p>
          <b>{label}.</b> {sentence}
        </p>
      ) : null}
    </div>
  )
}
