import { sayFinding } from '../../words/say.ts'
import { VisibleText } from './visible-text.tsx'
import classes from './finding-text.module.css'

/** What is wrong: in a window that is not in English, what the rule means comes before the service's own sentence. */
export function FindingText({ rule, message }: { rule: string; message: string }) {
  const about = sayFinding(rule)
  if (about === null) return <VisibleText text={message} />
  return (
    <>
      {about}{' '}
      <span className={classes.sentence}>
        <VisibleText text={message} />
      </span>
    </>
  )
}
