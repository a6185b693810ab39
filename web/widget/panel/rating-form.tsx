/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { PanelContext } from './panel-context.ts'
import { revealForm } from './reveal-form.ts'
import type { Turn } from './turn.ts'

/** What may be wrong with an answer, as the service stores it. */
const reasons = {
  incorrect: 'reasonIncorrect',
  'not-asked': 'reasonNotAsked',
  outdated: 'reasonOutdated',
  incomplete: 'reasonIncomplete',
  unclear: 'reasonUnclear',
  other: 'reasonOther',
} as const

const noteCharsMax = 1_000

interface RatingFormProps {
  context: PanelContext
  turn: Turn
  onDone: () => void
}

/** Asks why an answer is not helpful. */
export function RatingForm({ context, turn, onDone }: RatingFormProps) {
  const { conversation, announcer, say } = context
  const [reason, setReason] = useState(turn.reason)
  const [note, setNote] = useState('')
  const send = async (event: Event) => {
    event.preventDefault()
    const isSent = await conversation.rate(turn, { helpful: false, reason, note: note.trim() || null })
    announcer.say(say(isSent ? 'thanks' : 'ratingFailed'))
    if (isSent) onDone()
  }
  return (
    <form class="form" ref={revealForm} onSubmit={(event) => void send(event)}>
      <fieldset>
        <legend>{say('whyNotHelpful')}</legend>
        <div class="more">
          {Object.entries(reasons).map(([name, word]) => (
            <label key={name} class="chip">
              <input type="radio" name="reason" checked={reason === name} onChange={() => setReason(name)} />
              {say(word)}
            </label>
          ))}
        </div>
      </fieldset>
      <textarea
        aria-label={say('comment')}
        placeholder={say('comment')}
        rows={2}
        maxLength={noteCharsMax}
        value={note}
        onInput={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <button type="submit" class="btn primary s" disabled={reason === null && note.trim() === ''}>
        {say('send')}
      </button>
    </form>
  )
}
