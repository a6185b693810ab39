import classes from './stacked-bar.module.css'

export interface BarPart {
  label: string
  value: number
}

/** As many as have a colour that can be told from its neighbours. */
const coloursMax = 8

/** Less shows as nothing, in the bar and in its number. */
const shownMin = 0.005

/** Parts of a sum beside each other, and below each with its number. `max` is what the whole width stands for. */
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
            {label} <span className={classes.value}>{value.toFixed(2)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
