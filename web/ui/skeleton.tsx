import classes from './skeleton.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'
import { say } from '../words/say.ts'

/** Placeholder while loading. `rows` for lists and tables, `cards` for cards. */
export function Skeleton({ shape = 'rows', count = 4 }: { shape?: 'rows' | 'cards'; count?: number }) {
  return (
    <div className={classes[shape]} role="status">
      <VisuallyHidden>{say('Loading …')}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={classes.block} />
      ))}
    </div>
  )
}
