import type { ReactNode } from 'react'
import classes from './entry-frame.module.css'

/** Frame of the pages for signed-out users. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <span className={classes.mark} aria-hidden>
          D
        </span>
        <h1 className={classes.title}>{title}</h1>
        {children}
      </div>
    </main>
  )
}
