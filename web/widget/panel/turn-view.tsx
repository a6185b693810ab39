/** @jsxImportSource preact */
import { useEffect, useRef } from 'preact/hooks'
import { listSources } from '../../../packages/docent-client/src/answer-sources.ts'
import { listTexts } from '../../../packages/docent-client/src/answer-texts.ts'
import type { Say } from '../words/make-say.ts'
import { AnswerEnd } from './answer-end.tsx'
import { AnswerText } from './answer-text.tsx'
import { Icon } from './icon.tsx'
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
          sources={listSources(turn).map(({ url }) => url)}
          isSaid={wasRunning.current}
        />
      ))}
      {isRunning && turn.isCut ? <p class="note">{say('connectingAgain')}</p> : null}
      {isRunning && !turn.isCut && readText(turn) === '' ? <p class="note">{say('searching')}</p> : null}
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
