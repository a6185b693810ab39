import { Field, type FieldProps } from './field.tsx'
import classes from './field.module.css'

export interface SelectOption {
  value: string
  label: string
}

export interface SelectFieldProps extends FieldProps {
  value: string
  options: readonly SelectOption[]
  onValueChange(value: string): void
  isDisabled?: boolean
}

/** The system's own list, which every keyboard, screen reader and telephone knows. */
export function SelectField({ value, options, onValueChange, isDisabled, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className={classes.control}
          value={value}
          disabled={isDisabled ?? false}
          onChange={(event) => onValueChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
