import { type ReactNode, useId } from 'react'
import classes from './field.module.css'
import { say } from '../words/say.ts'

/** Attributes that associate a control with its label, description and error. */
export interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldProps {
  label: string
  description?: ReactNode
  /** A sentence that says what to change; null if valid. */
  error?: string | null | undefined
  isOptional?: boolean
}

/** A control with its label, description and error. */
export function Field({ children, ...props }: FieldProps & { children(control: FieldControl): ReactNode }) {
  const { label, description, error = null, isOptional = false } = props
  const id = useId()
  const described = [description === undefined ? null : `${id}-description`, error === null ? null : `${id}-error`]
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.label}>
        {label} {isOptional ? <span className={classes.optional}>{say('(optional)')}</span> : null}
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
