import { type ReactNode, useId } from 'react'
import classes from './field.module.css'

/** What a control needs to carry so that its label, its description and its fault are heard with it. */
export interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldProps {
  label: string
  description?: ReactNode
  /** A sentence that says what to change; null while nothing is wrong. */
  error?: string | null | undefined
  isOptional?: boolean
}

/** A label, a control, what is to be known of it, and what is wrong with it. */
export function Field({ children, ...props }: FieldProps & { children(control: FieldControl): ReactNode }) {
  const { label, description, error = null, isOptional = false } = props
  const id = useId()
  const described = [description === undefined ? null : `${id}-description`, error === null ? null : `${id}-error`]
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.label}>
        {label} {isOptional ? <span className={classes.optional}>(optional)</span> : null}
      </label>
      {children({
        id,
        'aria-describedby': described.filter(Boolean).join(' ') || undefined,
        'aria-invalid': error === null ? undefined : true,
      })}
      {description === undefined ? null : (
        <p id={`${id}-description`} className={classes.description}>
          {description}
        </p>
      )}
      {error === null ? null : (
        <p id={`${id}-error`} className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
