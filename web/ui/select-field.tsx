import { Field, type FieldProps } from './field.tsx'
import classes from './field.module.css'

export interface SelectOption<Value extends string = string> {
  value: Value
  label: string
}

export interface SelectFieldProps<Value extends string> extends FieldProps {
  value: Value
  options: readonly SelectOption<Value>[]
  onValueChange(value: Value): void
  isDisabled?: boolean
}

/** A native select, which works with every keyboard, screen reader and phone. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { value, options, onValueChange, isDisabled, ...field } = props
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className={classes.control}
          value={value}
          disabled={isDisabled ?? false}
          // A select only has values of its options.
          onChange={(event) => onValueChange(event.target.value as Value)}
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
