import type { ReactNode } from 'react'
import classes from './more-fields.module.css'
import { say } from '../words/say.ts'

export interface MoreFieldsProps {
  title?: string
  /** What the fields below are set to, in a sentence. */
  summary?: string
  children: ReactNode
}

/** Fields of a form that most people leave as they are. Opens when the browser finds one of them invalid. */
export function MoreFields({ title = say('More'), summary, children }: MoreFieldsProps) {
  return (
    <details
      className={classes.more}
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true
      }}
    >
      <summary>
        {title}
        {summary === undefined ? null : <span className={classes.summary}>{summary}</span>}
      </summary>
      <div className={classes.fields}>{children}</div>
    </details>
  )
}
