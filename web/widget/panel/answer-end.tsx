/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { AnswerLinks, FollowUps } from './answer-links.tsx'
import { writeAnswer } from './copy-answer.ts'
import { copyText } from './copy-text.ts'
import { Icon, IconButton } from './icon.tsx'
import { lazyView } from './lazy-view.tsx'
import type { PanelContext } from './panel-context.ts'
import { RatingButtons } from './rating-buttons.tsx'
import { isRefused, readText, type Turn } from './turn.ts'

const HandOverForm = lazyView(() => import('./hand-over-form.tsx').then((module) => module.HandOverForm))
const OpenIn = lazyView(() => import('./open-in.tsx').then((module) => module.OpenIn))
const RatingForm = lazyView(() => import('./rating-form.tsx').then((module) => module.RatingForm))

interface AnswerEndProps {
  context: PanelContext
  turn: Turn
}

/** The end of an answer: its sources and actions. */
export function AnswerEnd({ context, turn }: AnswerEndProps) {
  const [open, setOpen] = useState<'reasons' | 'open-in' | 'hand-over' | 'handed-over' | null>(null)
  const { conversation, settings, say } = context
  const isLast = conversation.turns.at(-1) === turn
  const hasText = readText(turn) !== ''
  return (
    <>
      <AnswerLinks context={context} turn={turn} />
      <div class="acts">
        {turn.messageId === null || !hasText ? null : (
          <RatingButtons context={context} turn={turn} onRate={(helpful) => setOpen(helpful ? null : 'reasons')} />
        )}
        {hasText ? <CopyAnswer context={context} turn={turn} /> : null}
        {isLast ? <AskAgain context={context} turn={turn} /> : null}
        {hasText && settings.openIn ? (
          <button
            type="button"
            class="btn quiet s end"
            aria-expanded={open === 'open-in'}
            onClick={() => setOpen(open === 'open-in' ? null : 'open-in')}
          >
            {say('openIn')}
            <Icon name="expand" />
          </button>
        ) : null}
      </div>
      {open === 'reasons' ? <RatingForm context={context} turn={turn} onDone={() => setOpen(null)} /> : null}
      {open === 'open-in' ? <OpenIn context={context} turn={turn} /> : null}
      {isLast && settings.handOver.length > 0 ? (
        <button
          type="button"
          class={isRefused(turn) ? 'btn' : 'btn quiet s'}
          aria-expanded={open === 'hand-over'}
          onClick={() => setOpen(open === 'hand-over' ? null : 'hand-over')}
        >
          <Icon name="mail" />
          {say('handOver')}
        </button>
      ) : null}
      {open === 'hand-over' ? <HandOverForm context={context} onDone={() => setOpen('handed-over')} /> : null}
      {open === 'handed-over' ? <p class="note">{say('handOverSent')}</p> : null}
      {isLast ? <FollowUps context={context} turn={turn} /> : null}
    </>
  )
}

function CopyAnswer({ context: { announcer, say }, turn }: AnswerEndProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    const isDone = await copyText(writeAnswer(say, turn))
    setCopied(isDone)
    announcer.say(isDone ? say('copied') : say('copyRefused'))
  }
  return (
    <IconButton icon="copy" label={say(isCopied ? 'copied' : 'copyMarkdown')} isSmall onClick={() => void copy()} />
  )
}

/** Disabled as long as the service refuses to answer. */
function AskAgain({ context: { conversation, draw, say }, turn }: AnswerEndProps) {
  const { retryAt } = turn
  const waitMs = Math.max(0, (retryAt ?? 0) - Date.now())
  useEffect(() => {
    // Longer waits than a timer can hold outlast the page.
    const timer = waitMs > 0 && waitMs < 2 ** 31 ? setTimeout(draw, waitMs) : undefined
    return () => clearTimeout(timer)
  }, [retryAt])
  return (
    <IconButton
      icon="again"
      label={say('askAgain')}
      isSmall
      isDisabled={waitMs > 0}
      onClick={() => void conversation.askAgain()}
    />
  )
}
