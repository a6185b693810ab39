import classes from './stacked-bar.module.css'
import { language } from '../words/language.ts'

export interface BarPart {
  label: string
  value: number
}

/** Number of distinguishable colours. */
const coloursMax = 8

/** Smaller values are invisible in the bar and round to zero. */
const shownMin = 0.005

/** Parts of a sum side by side, with a legend. `max` corresponds to the full width. */
export function StackedBar({ label, parts, max }: { label: string; parts: readonly BarPart[]; max: number }) {
  const shown = parts
    .map((part, index) => ({ ...part, colour: index % coloursMax }))
    .filter(({ value }) => value >= shownMin)
  return (
    <div className={classes.bar}>
      <div className={classes.track} aria-hidden>
        {shown.map(({ label, value, colour }) => (
          <span
            key={label}
            data-colour={colour}
            className={classes.part}
            style={{ width: `${max > 0 ? (Math.min(value, max) / max) * 100 : 0}%` }}
          />
        ))}
      </div>
      <ul className={classes.legend} aria-label={label}>
        {shown.map(({ label, value, colour }) => (
          <li key={label}>
            <span data-colour={colour} className={classes.swatch} aria-hidden />
            {label} <span className={classes.value}>{value.toLocaleString(language, twoDigits)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
