import { useId } from 'react'
import classes from './field.module.css'

export interface Choice<Value extends string> {
  value: Value
  label: string
  description?: string
}

export interface ChoiceFieldProps<Value extends string> {
  legend: string
  choices: readonly Choice<Value>[]
}

/** One of a few, all of which are seen. */
export function RadioField<Value extends string>({
  legend,
  choices,
  value,
  onValueChange,
}: ChoiceFieldProps<Value> & { value: Value; onValueChange(value: Value): void }) {
  const name = useId()
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{legend}</legend>
      <div className={classes.choices}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.choice}>
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              onChange={() => onValueChange(choice.value)}
            />
            <ChoiceText {...choice} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Any of a few. */
export function CheckboxField<Value extends string>({
  legend,
  choices,
  values,
  onValuesChange,
}: ChoiceFieldProps<Value> & { values: readonly Value[]; onValuesChange(values: Value[]): void }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{legend}</legend>
      <div className={classes.choices}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.choice}>
            <input
              type="checkbox"
              checked={values.includes(choice.value)}
              onChange={({ target }) => {
                const others = values.filter((value) => value !== choice.value)
                onValuesChange(target.checked ? [...others, choice.value] : others)
              }}
            />
            <ChoiceText {...choice} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function ChoiceText({ label, description }: { label: string; description?: string }) {
  return (
    <span>
      {label}
      {description === undefined ? null : <small>{description}</small>}
    </span>
  )
}
