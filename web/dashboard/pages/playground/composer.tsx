import { SendHorizontal, Square } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import classes from './chat.module.css'
import { say } from '../../../words/say.ts'

/** The service refuses longer questions. */
const questionCharsMax = 10_000

export interface ComposerProps {
  isBusy: boolean
  onSend(text: string): void
  onStop(): void
}

/** Enter sends; Shift+Enter inserts a line break. */
export function Composer({ isBusy, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState('')
  const send = () => {
    if (isBusy || text.trim() === '') return
    onSend(text.trim())
    setText('')
  }
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextAreaField
        label={say('Question')}
        rows={2}
        maxLength={questionCharsMax}
        value={text}
        onValueChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
      />
      {isBusy ? (
        <Button onClick={onStop}>
          <Square size={15} aria-hidden /> {say('Stop')}
        </Button>
      ) : (
        <Button type="submit" look="primary">
          <SendHorizontal size={15} aria-hidden /> {say('Ask')}
        </Button>
      )}
    </form>
  )
}
