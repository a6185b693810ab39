import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

export interface EmptyStateProps {
  icon: ReactNode
  title: string
  /** What would be here, and how to get it. */
  children: ReactNode
  action?: ReactNode
}

/** Placeholder if there is nothing to show. */
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
