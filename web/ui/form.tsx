import type { ReactNode, Ref } from 'react'
import classes from './form.module.css'

export interface FormProps {
  ref?: Ref<HTMLFormElement>
  isBusy?: boolean
  onSubmit(): void
  children: ReactNode
}

/** Stacked fields. Enter submits, and repeated submits are ignored while busy. */
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

/** Short fields side by side, if there is room. */
export function FormColumns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>
}

/** The buttons of a form outside dialogs, the main action first. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>
}
