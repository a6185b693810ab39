import type { ReactNode, Ref } from 'react'
import classes from './form.module.css'

export interface FormProps {
  ref?: Ref<HTMLFormElement>
  isBusy?: boolean
  onSubmit(): void
  children: ReactNode
}

/** Fields below each other. Enter submits them, once at a time. */
export function Form({ ref, isBusy = false, onSubmit, children }: FormProps) {
  return (
    <form
      ref={ref}
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
