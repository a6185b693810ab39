import { type ReactNode, useId } from 'react'
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

/** Radio buttons. */
export function RadioField<Value extends string>({
  legend,
  choices,
  value,
  onValueChange,
}: ChoiceFieldProps<Value> & { value: Value; onValueChange(value: Value): void }) {
  const name = useId()
  return (
    <ChoiceGroup legend={legend}>
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
    </ChoiceGroup>
  )
}

export interface CheckboxFieldProps<Value extends string> extends ChoiceFieldProps<Value> {
  value: readonly Value[]
  onValueChange(value: Value[]): void
  error?: string | null
}

/** Checkboxes. */
export function CheckboxField<Value extends string>(props: CheckboxFieldProps<Value>) {
  const { legend, choices, value, onValueChange, error = null } = props
  return (
    <ChoiceGroup legend={legend} error={error}>
      {choices.map((choice) => (
        <label key={choice.value} className={classes.choice}>
          <input
            type="checkbox"
            checked={value.includes(choice.value)}
            aria-invalid={error === null ? undefined : true}
            onChange={({ target }) => {
              const others = value.filter((each) => each !== choice.value)
              onValueChange(target.checked ? [...others, choice.value] : others)
            }}
          />
          <ChoiceText {...choice} />
        </label>
      ))}
    </ChoiceGroup>
  )
}

export interface YesNoFieldProps {
  legend: string
  label: string
  description?: string
  value: boolean
  onValueChange(value: boolean): void
}

/** A single checkbox. */
export function YesNoField({ legend, value, onValueChange, ...text }: YesNoFieldProps) {
  return (
    <CheckboxField
      legend={legend}
      choices={[{ value: 'yes', ...text }]}
      value={value ? ['yes'] : []}
      onValueChange={(chosen) => onValueChange(chosen.length > 0)}
    />
  )
}

function ChoiceGroup({
  legend,
  error = null,
  children,
}: {
  legend: string
  error?: string | null
  children: ReactNode
}) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{legend}</legend>
      <div className={classes.choices}>{children}</div>
      {error === null ? null : (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
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
