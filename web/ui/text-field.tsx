import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field.tsx'
import classes from './field.module.css'

type Attributes = Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'value'>

export interface TextFieldProps extends FieldProps, Attributes {
  value: string
  onValueChange(value: string): void
}

export function TextField({ label, description, error, isOptional, onValueChange, ...attributes }: TextFieldProps) {
  return (
    <Field {...{ label, description, error }} isOptional={isOptional ?? false}>
      {(control) => (
        <input
          {...attributes}
          {...control}
          className={classes.control}
          onChange={(event) => onValueChange(event.target.value)}
        />
      )}
    </Field>
  )
}

export interface TextAreaFieldProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'id' | 'onChange' | 'value'> {
  value: string
  onValueChange(value: string): void
}

export function TextAreaField(props: TextAreaFieldProps) {
  const { label, description, error, isOptional, onValueChange, ...attributes } = props
  return (
    <Field {...{ label, description, error }} isOptional={isOptional ?? false}>
      {(control) => (
        <textarea
          rows={3}
          {...attributes}
          {...control}
          className={classes.control}
          onChange={(event) => onValueChange(event.target.value)}
        />
      )}
    </Field>
  )
}
