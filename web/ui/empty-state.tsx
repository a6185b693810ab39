import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

export interface EmptyStateProps {
  icon: ReactNode
  title: string
  /** What would be here, and how to get it. */
  children: ReactNode
  action?: ReactNode
  /** Whether it stands for a whole page, which has no other heading. */
  isPage?: boolean
}

/** Placeholder if there is nothing to show. */
export function EmptyState({ icon, title, children, action, isPage = false }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>{icon}</span>
      <Heading className={classes.title}>{title}</Heading>
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  )
}
