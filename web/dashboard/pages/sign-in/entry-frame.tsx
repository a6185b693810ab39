import type { ReactNode } from 'react'
import { BrandMark } from '../../shell/brand-mark.tsx'
import classes from './entry-frame.module.css'

/** Frame of the pages for signed-out users. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <BrandMark />
        <h1 className={classes.title}>{title}</h1>
        {children}
      </div>
    </main>
  )
}
