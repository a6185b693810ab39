/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks'
import { describeFault } from './describe-fault.ts'
import type { PanelContext } from './panel-context.ts'
import type { FormField } from './panel-settings.ts'
import { revealForm } from './reveal-form.ts'

/** As the service bounds them. */
const charsMax = { text: 200, email: 254, paragraphs: 4_000 } as const

interface HandOverFormProps {
  context: PanelContext
  onDone: () => void
}

/** Sends a message to the people behind the site. */
export function HandOverForm({ context, onDone }: HandOverFormProps) {
  const { conversation, announcer, settings, say } = context
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  // The same for each attempt, so that a message whose reply was lost is not sent twice.
  const requestId = useRef(makeRequestId())
  const send = async (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const fields = Object.fromEntries(settings.handOver.map(({ name }) => [name, readText(given, name)]))
    setSending(true)
    try {
      await conversation.handOver({ requestId: requestId.current, fields })
      announcer.say(say('handOverSent'))
      onDone()
    } catch (error) {
      const sentence = describeFault(context, error, 'connectionLost')
      setFault(sentence)
      announcer.say(sentence)
    }
    setSending(false)
  }
  return (
    <form class="form" ref={revealForm} aria-label={say('handOver')} onSubmit={(event) => void send(event)}>
      {settings.handOver.map((field) => (
        <Field key={field.name} field={field} />
      ))}
      <p class="note">{say('handOverNote')}</p>
      {fault === '' ? null : <p class="fault">{fault}</p>}
      <button type="submit" class="btn primary s" disabled={isSending}>
        {say('send')}
      </button>
    </form>
  )
}

function Field({ field: { name, label, kind, required } }: { field: FormField }) {
  const shared = { name, required, maxLength: charsMax[kind] }
  return (
    <label class="field">
      {label}
      {kind === 'paragraphs' ? <textarea {...shared} rows={3} /> : null}
      {kind === 'email' ? <input {...shared} type="email" autocomplete="email" /> : null}
      {kind === 'text' ? <input {...shared} /> : null}
    </label>
  )
}

function readText(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

function makeRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, '0')).join('')
}
