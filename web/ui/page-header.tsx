import type { ReactNode } from 'react'
import classes from './page-header.module.css'

/** What the page is, in a sentence what it is for, and the one thing that it offers to do. */
export function PageHeader({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.header}>
      <div className={classes.text}>
        <h1 className={classes.title}>{title}</h1>
        {children === undefined ? null : <p className={classes.description}>{children}</p>}
      </div>
      {action}
    </div>
  )
}
