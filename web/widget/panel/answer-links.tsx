/** @jsxImportSource preact */
import { listSources, listSuggestions } from '../../../packages/docent-client/src/answer-sources.ts'
import { readQuote, readWebAddress } from '../../citations/describe-citation.ts'
import { listFollowUps, listNearest } from './found-sections.ts'
import { setAddress } from './follow-link.ts'
import { Icon } from './icon.tsx'
import type { PanelContext } from './panel-context.ts'
import { isRefused, type Turn } from './turn.ts'

interface LinksProps {
  context: PanelContext
  turn: Turn
}

/** What an answer rests on, or the nearest pages where there is none, and where to go on. */
export function AnswerLinks({ context, turn }: LinksProps) {
  return (
    <>
      <Sources context={context} turn={turn} />
      {isRefused(turn) ? <NearestPages context={context} turn={turn} /> : null}
      <SuggestedPages context={context} turn={turn} />
    </>
  )
}

/** Where the pages disagree, with what each says. */
function Sources({ context, turn }: LinksProps) {
  const { say } = context
  const isConflict = turn.metadata.verdict === 'conflicting'
  const sources = listSources(turn).filter(({ url }) => readWebAddress(url) !== null)
  if (sources.length === 0) return null
  return (
    <ol class="srcs" aria-label={say('sources')}>
      {sources.map(({ sourceId, number, title, url, citations }) => (
        <li key={sourceId}>
          <a ref={(link) => setAddress(link, url, context)}>
            <span class="cite">{number}</span>
            <span>{title}</span>
          </a>
          {isConflict
            ? [...new Set(citations.map(readQuote))].map((quote) => (
                <p key={quote} dir="auto">
                  <mark>{quote}</mark>
                </p>
              ))
            : null}
        </li>
      ))}
    </ol>
  )
}

function NearestPages({ context, turn }: LinksProps) {
  const { say } = context
  const sections = listNearest(turn)
  if (sections.length === 0) return null
  return (
    <div class="near">
      <h4>{say('nearestPages')}</h4>
      <ul>
        {sections.map(({ url, title, headings, text }) => (
          <li key={url}>
            <a class="hit" ref={(link) => setAddress(link, url, context)}>
              <Icon name="page" />
              <span class="found">
                <b>{[title, ...headings].join(' › ')}</b>
                <span class="text">{readQuote({ quote: text })}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function SuggestedPages({ context, turn }: LinksProps) {
  const { say } = context
  const pages = listSuggestions(turn).filter(({ url }) => readWebAddress(url) !== null)
  if (pages.length === 0) return null
  return (
    <ul class="more" aria-label={say('seeAlso')}>
      {pages.map(({ url, title }) => (
        <li key={url}>
          <a class="chip" ref={(link) => setAddress(link, url, context)}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Questions that the documentation itself answers next, as buttons. */
export function FollowUps({ context, turn }: LinksProps) {
  const { conversation, say } = context
  const questions = listFollowUps(turn)
  if (questions.length === 0) return null
  return (
    <ul class="more" aria-label={say('askNext')}>
      {questions.map((question) => (
        <li key={question}>
          <button type="button" class="chip" onClick={() => void conversation.ask(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}
