/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { EvidenceCard } from './evidence-card.tsx'
import { Icon, IconButton } from './icon.tsx'
import { type PanelContext, showEvidence } from './panel-context.ts'
import { PastButton } from './past-button.tsx'
import { SubjectChip } from './subject-chip.tsx'
import { TurnView } from './turn-view.tsx'

/** The conversation, and the field for follow-up questions. */
export function TalkView({ context }: { context: PanelContext }) {
  const { conversation, announcer, settings, say } = context
  const restart = () => {
    announcer.clear()
    conversation.clear()
    showEvidence(context, null)
  }
  return (
    <>
      <div class="bar">
        <h2>{settings.label}</h2>
        <span class="end">
          <IconButton icon="new" label={say('newQuestion')} onClick={restart} />
          <PastButton context={context} />
          <IconButton icon="close" label={say('close')} onClick={() => context.close()} />
        </span>
      </div>
      <div class="talk" role="log" aria-live="off" aria-label={say('conversation')} tabIndex={0}>
        {conversation.turns.map((turn, place) => (
          <TurnView key={turn.askedAt} context={context} turn={turn} place={place} />
        ))}
      </div>
      <EvidenceCard context={context} />
      <SubjectChip context={context} />
      <Composer context={context} />
      {settings.disclaimerTone === 'none' ? null : (
        <p class={`fine ${settings.disclaimerTone}`}>{settings.disclaimer || say('checkSources')}</p>
      )}
    </>
  )
}

function Composer({ context }: { context: PanelContext }) {
  const { conversation, say } = context
  const [text, setText] = useState('')
  const ask = (event: Event) => {
    event.preventDefault()
    const question = text.trim()
    if (question === '' || conversation.isRunning) return
    setText('')
    showEvidence(context, null)
    void conversation.ask(question)
  }
  return (
    <form class="composer" onSubmit={ask}>
      <input
        data-field
        aria-label={say('followUp')}
        placeholder={say('followUp')}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {conversation.isRunning ? (
        <button type="button" class="btn s" onClick={() => conversation.stop()}>
          <Icon name="stop" />
          {say('stop')}
        </button>
      ) : (
        <button type="submit" class="btn primary icon" aria-label={say('send')} disabled={text.trim() === ''}>
          <Icon name="send" />
        </button>
      )}
    </form>
  )
}
