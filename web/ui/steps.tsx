import { type ReactNode, useEffect, useRef } from 'react'
import classes from './steps.module.css'

/** Steps of a wizard, with the current one marked. */
export function Steps({ label, titles, current }: { label: string; titles: readonly string[]; current: number }) {
  return (
    <ol className={classes.steps} aria-label={label}>
      {titles.map((title, index) => (
        <li key={title} aria-current={index === current ? 'step' : undefined}>
          {title}
        </li>
      ))}
    </ol>
  )
}

/**
 * Heading of a step. Takes the focus when the step opens, so that it is announced and the keyboard continues from
 * there.
 */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <h2 ref={heading} tabIndex={-1} className={classes.heading}>
      {children}
    </h2>
  )
}
