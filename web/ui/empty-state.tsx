import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

export interface EmptyStateProps {
  icon: ReactNode
  title: string
  /** What would be here, and how it comes to be. */
  children: ReactNode
  action?: ReactNode
}

/** What stands where there is nothing yet, or nothing can be shown. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>{icon}</span>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  )
}
