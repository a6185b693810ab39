import { Button } from './button.tsx'
import { Field, type FieldProps } from './field.tsx'
import classes from './color-field.module.css'
import { say } from '../words/say.ts'

export interface ColorFieldProps extends FieldProps {
  /** Such as `#5b3bb0`; empty for the default. */
  value: string
  onValueChange(value: string): void
  /** The default, as a color. */
  fallback: string
}

/** The browser's color picker, which always has a value: the button restores the default. */
export function ColorField({ value, onValueChange, fallback, ...field }: ColorFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <div className={classes.row}>
          <input
            {...control}
            type="color"
            className={classes.picker}
            value={value || fallback}
            onChange={(event) => onValueChange(event.target.value)}
          />
          <code>{value || fallback}</code>
          {value === '' ? null : (
            <Button size="small" look="quiet" onClick={() => onValueChange('')}>
              {say('Use the default')}
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
