import type { ReactNode } from 'react'
import classes from './form.module.css'

/** Fields below each other. Enter sends them, and nothing is sent twice at a time. */
export function Form({
  isBusy = false,
  onSubmit,
  children,
}: {
  isBusy?: boolean
  onSubmit(): void
  children: ReactNode
}) {
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onSubmit()
      }}
    >
      {children}
    </form>
  )
}

/** Short fields beside each other, where there is room. */
export function FormColumns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>
}

/** The buttons of a form that is no dialog, the one that it is for first. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>
}

/** What narrows a list, in one line. Enter applies it. */
export function FilterBar({ label, onSubmit, children }: { label: string; onSubmit?(): void; children: ReactNode }) {
  return (
    <form
      role="search"
      aria-label={label}
      className={classes.filters}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit?.()
      }}
    >
      {children}
    </form>
  )
}
