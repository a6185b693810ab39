import { splitVisibleText } from '../../../src/contract/visible-text.ts'
import classes from './visible-text.module.css'

/** Text of files and of others, in which nothing is hidden: what cannot be seen, or turns text around, shows its code. */
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
