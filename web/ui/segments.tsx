import { useId } from 'react'
import classes from './segments.module.css'

export interface SegmentsProps<Value extends string | number> {
  /** Announced; not shown. */
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onValueChange(value: Value): void
}

/** A choice of a few short options on one line. */
export function Segments<Value extends string | number>({
  label,
  value,
  options,
  onValueChange,
}: SegmentsProps<Value>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={classes.segments}>
      {options.map((option) => (
        <label key={option.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
