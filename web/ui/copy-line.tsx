import { CopyButton } from './copy-button.tsx'
import classes from './copy-line.module.css'

/** An id, address or secret with a copy button. */
export function CopyLine({ text, what }: { text: string; what: string }) {
  return (
    <span className={classes.line}>
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}
