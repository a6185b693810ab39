import { type ReactNode, useEffect, useRef } from 'react'
import classes from './steps.module.css'

/** What is done one after the other, and where one is. */
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

/** Heads a step, and takes the focus when the step comes, so that it is heard and the keyboard goes on from there. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <h2 ref={heading} tabIndex={-1} className={classes.heading}>
      {children}
    </h2>
  )
}
