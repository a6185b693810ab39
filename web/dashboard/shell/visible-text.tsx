import { Fragment } from 'react'
import { splitVisibleText } from '../../../src/contract/visible-text.ts'
import classes from './visible-text.module.css'

export interface VisibleTextProps {
  text: string
  /** Prose has lines; in a name or a path, a line break is shown as a code too. */
  hasLines?: boolean
}

/** Untrusted text with nothing hidden: invisible and bidirectional control characters are shown as codes. */
export function VisibleText({ text, hasLines = false }: VisibleTextProps) {
  if (hasLines) {
    return text.split(/\r?\n/).map((line, index) => (
      <Fragment key={index}>
        {index === 0 ? null : <br />}
        <VisibleText text={line} />
      </Fragment>
    ))
  }
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
