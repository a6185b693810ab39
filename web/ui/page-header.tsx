import type { ReactNode } from 'react'
import classes from './page-header.module.css'

/** Page title, a one-sentence description, and the main actions, which the command palette lists too. */
export function PageHeader({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.header} data-page-head>
      <div className={classes.text}>
        <h1 className={classes.title}>{title}</h1>
        {children === undefined ? null : <p className={classes.description}>{children}</p>}
      </div>
      {action}
    </div>
  )
}
