import { type ReactNode, useId } from 'react'
import classes from './section.module.css'

export interface SectionProps {
  title: string
  /** A sentence about its contents. */
  description?: ReactNode
  /** An action on the section as a whole. */
  action?: ReactNode
  children: ReactNode
}

/** A part of a page under its own heading. */
export function Section({ title, description, action, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={classes.head}>
        <div className={classes.text}>
          <h2 id={id} className={classes.title}>
            {title}
          </h2>
          {description === undefined ? null : <p className={classes.description}>{description}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
