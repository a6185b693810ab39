import { splitVisibleText } from '../../../src/contract/visible-text.ts'
import classes from './visible-text.module.css'

/** Untrusted text with nothing hidden: invisible and bidirectional control characters are shown as codes. */
export function VisibleText({ text }: { text: string }) {
  return splitVisibleText(text).map((part, index) =>
    part.isHidden ? (
      <span key={index} className={classes.hidden}>
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
}
