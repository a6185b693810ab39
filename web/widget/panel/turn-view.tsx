/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import { listSources, listSuggestions } from '../../../packages/docent-client/src/answer-sources.ts'
import { listTexts } from '../../../packages/docent-client/src/answer-texts.ts'
import { readWebAddress } from '../../citations/describe-citation.ts'
import type { Say } from '../words/make-say.ts'
import { AnswerText } from './answer-text.tsx'
import { copyText } from './copy-text.ts'
import { setAddress } from './follow-link.ts'
import { Icon, IconButton } from './icon.tsx'
import type { PanelContext } from './panel-context.ts'
import { readText, type Turn } from './turn.ts'

interface TurnViewProps {
  context: PanelContext
  turn: Turn
  place: number
}

/** A question, its answer, and what can be done with it. */
export function TurnView({ context, turn, place }: TurnViewProps) {
  const { say } = context
  const isRunning = turn.state === 'running'
  const wasRunning = useRef(isRunning)
  const area = useRef<HTMLElement>(null)
  const texts = listTexts(turn)
  useEffect(() => {
    if (wasRunning.current) area.current?.scrollIntoView({ block: 'start' })
  }, [])
  useEffect(() => {
    if (wasRunning.current && !isRunning) context.announcer.say(describeEnd(say, turn))
  }, [isRunning])
  return (
    <article ref={area} class="turn" aria-busy={isRunning}>
      <div>
        <h3 class="me" dir="auto">
          {turn.question}
        </h3>
        {turn.askedOn === '' ? null : (
          <p class="ctx">
            <Icon name="page" />
            {say('askedOn', { page: turn.askedOn })}
          </p>
        )}
      </div>
      {texts.map((cited, text) => (
        <AnswerText
          key={text}
          context={context}
          cited={cited}
          place={{ turn: place, text }}
          isWhole={!isRunning}
          isSaid={wasRunning.current}
        />
      ))}
      {isRunning && readText(turn) === '' ? <p class="note">{say('searching')}</p> : null}
      {turn.state === 'stopped' ? <p class="note">{say('stopped')}</p> : null}
      {turn.state === 'failed' ? <p class="note">{turn.fault}</p> : null}
      {isRunning ? null : <AnswerEnd context={context} turn={turn} />}
    </article>
  )
}

function describeEnd(say: Say, turn: Turn): string {
  if (turn.state === 'stopped') return say('stopped')
  if (turn.state === 'failed') return turn.fault ?? ''
  return say('complete', { count: listSources(turn).length })
}

function AnswerEnd({ context, turn }: { context: PanelContext; turn: Turn }) {
  const { conversation, announcer, say } = context
  const [isCopied, setCopied] = useState(false)
  const text = readText(turn)
  const rate = async (helpful: boolean) => {
    await conversation.rate(turn, helpful)
    announcer.say(turn.helpful === helpful ? say('thanks') : say('ratingFailed'))
  }
  const copy = async () => {
    const isDone = await copyText(text)
    setCopied(isDone)
    announcer.say(isDone ? say('copied') : say('copyRefused'))
  }
  const isLast = conversation.turns.at(-1) === turn
  return (
    <>
      <Links say={say} turn={turn} />
      <div class="acts">
        {turn.messageId === null || text === '' ? null : (
          <>
            <IconButton
              icon="up"
              label={say('helpful')}
              isSmall
              isPressed={turn.helpful === true}
              onClick={() => void rate(true)}
            />
            <IconButton
              icon="down"
              label={say('notHelpful')}
              isSmall
              isPressed={turn.helpful === false}
              onClick={() => void rate(false)}
            />
          </>
        )}
        {text === '' ? null : (
          <IconButton
            icon="copy"
            label={say(isCopied ? 'copied' : 'copyMarkdown')}
            isSmall
            onClick={() => void copy()}
          />
        )}
        {isLast ? (
          <IconButton
            icon="again"
            label={say('askAgain')}
            isSmall
            onClick={() => void conversation.ask(turn.question)}
          />
        ) : null}
      </div>
    </>
  )
}

/** The sources by number, and pages that the answer suggests besides. */
function Links({ say, turn }: { say: Say; turn: Turn }) {
  const sources = listSources(turn).filter(({ url }) => readWebAddress(url) !== null)
  const pages = listSuggestions(turn).filter(({ url }) => readWebAddress(url) !== null)
  return (
    <>
      {sources.length === 0 ? null : (
        <ol class="srcs" aria-label={say('sources')}>
          {sources.map(({ sourceId, number, title, url }) => (
            <li key={sourceId}>
              <a ref={(link) => setAddress(link, url)}>
                <span class="cite">{number}</span>
                <span>{title}</span>
              </a>
            </li>
          ))}
        </ol>
      )}
      {pages.length === 0 ? null : (
        <ul class="more" aria-label={say('seeAlso')}>
          {pages.map(({ url, title }) => (
            <li key={url}>
              <a class="chip" ref={(link) => setAddress(link, url)}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
