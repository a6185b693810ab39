import { type KeyboardEvent, useState } from 'react'
import type { BarChartProps, BarSeries } from './bar-chart.tsx'
import classes from './bar-chart.module.css'
import { joinClasses } from './join-classes.ts'
import { niceMax } from './nice-max.ts'
import { language } from '../words/language.ts'
import { say } from '../words/say.ts'

/** Fraction of each bar's slot. Few bars are narrower, or they would be blocks. */
const widthOf = (bars: number) => Math.min(0.72, bars * 0.06)

type PlotProps<Row> = Omit<BarChartProps<Row>, 'rowTitle'>

/** The bars. The viewBox counts bars and percent, and stretches to the available space. */
export function BarChartPlot<Row>(props: PlotProps<Row>) {
  const { title, rows, labelOf, series, line } = props
  const totals = rows.map((row) => sumOf(row, series))
  const compared = rows.map((row) => line?.valueOf(row) ?? 0)
  const max = niceMax(Math.max(...totals, ...compared, 1))
  const sum = totals.reduce((sum, total) => sum + total, 0)
  const [first, last] = [rows[0], rows.at(-1)]
  return (
    <div className={classes.plot}>
      <div className={classes.scale} aria-hidden>
        <span>{max.toLocaleString(language)}</span>
        <span>{(max / 2).toLocaleString(language)}</span>
        <span>0</span>
      </div>
      <div className={classes.area}>
        <svg
          className={classes.bars}
          viewBox={`0 0 ${Math.max(rows.length, 1)} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label={say('{title}: total {sum}, maximum {max}.', { title, sum, max: Math.max(...totals, 0) })}
        >
          {[0.5, 50, 99.5].map((y) => (
            <line key={y} className={classes.line} x1="0" x2={rows.length} y1={y} y2={y} />
          ))}
          {rows.map((row, index) => (
            <Pile key={labelOf(row)} row={row} index={index} max={max} series={series} width={widthOf(rows.length)} />
          ))}
          {line === undefined ? null : (
            <polyline
              className={classes.compared}
              points={placeLine(rows, line, max)}
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
        <Slots {...props} />
      </div>
      <div className={classes.ends} aria-hidden>
        <span>{first === undefined ? '' : labelOf(first)}</span>
        <span>{last === undefined || rows.length < 2 ? '' : labelOf(last)}</span>
      </div>
    </div>
  )
}

function sumOf<Row>(row: Row, series: readonly BarSeries<Row>[]): number {
  return series.reduce((sum, { valueOf }) => sum + valueOf(row), 0)
}

function placeLine<Row>(rows: readonly Row[], line: NonNullable<PlotProps<Row>['line']>, max: number): string {
  const points = rows.map((row, index) => [index + 0.5, line.valueOf(row)] as const)
  return points.flatMap(([x, value]) => (value === null ? [] : [`${x},${100 - (value / max) * 100}`])).join(' ')
}

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => Math.max(0, at - 1),
  ArrowRight: (at, last) => Math.min(last, at + 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** One button per bar: the numbers by mouse, touch and arrow keys. Only one is a stop of the tab key. */
function Slots<Row>(props: PlotProps<Row>) {
  const { title, rows, onOpen } = props
  const [shown, setShown] = useState<number | null>(null)
  const [stop, setStop] = useState(rows.length - 1)
  const shownRow = shown === null ? undefined : rows[shown]
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = event.currentTarget.children[step(stop, rows.length - 1)]
    if (next instanceof HTMLElement) next.focus()
  }
  return (
    <>
      <div
        className={classes.slots}
        role="group"
        aria-label={title}
        onKeyDown={move}
        onMouseLeave={() => setShown(null)}
        onBlur={() => setShown(null)}
      >
        {rows.map((row, index) => (
          <button
            key={props.labelOf(row)}
            type="button"
            className={classes.slot}
            tabIndex={index === Math.min(stop, rows.length - 1) ? 0 : -1}
            aria-label={describeBar(row, props)}
            onMouseEnter={() => setShown(index)}
            onFocus={() => {
              setShown(index)
              setStop(index)
            }}
            onClick={() => onOpen?.open(row)}
          />
        ))}
      </div>
      {shown === null || shownRow === undefined ? null : (
        <Numbers {...props} row={shownRow} at={(shown + 0.5) / rows.length} />
      )}
    </>
  )
}

/** The numbers of a bar, beside it. @param at Position of the bar, from 0 to 1. */
function Numbers<Row>({ row, at, labelOf, series, line, onOpen }: PlotProps<Row> & { row: Row; at: number }) {
  const before = line?.valueOf(row) ?? null
  return (
    <div
      className={classes.numbers}
      aria-hidden
      style={at < 0.5 ? { left: `calc(${at * 100}% + 1rem)` } : { right: `calc(${(1 - at) * 100}% + 1rem)` }}
    >
      <strong>{labelOf(row)}</strong>
      {series.map(({ name, tone, valueOf }) => (
        <span key={name} className={classes.number}>
          <span className={joinClasses(classes.swatch, classes[tone])} /> {name}
          <b>{valueOf(row).toLocaleString(language)}</b>
        </span>
      ))}
      {before === null ? null : (
        <span className={classes.number}>
          <span className={classes.dash} /> {line?.name}
          <b>{before.toLocaleString(language)}</b>
        </span>
      )}
      {onOpen === undefined ? null : <span className={classes.hint}>{onOpen.hint}</span>}
    </div>
  )
}

interface PileProps<Row> {
  row: Row
  index: number
  max: number
  /** Of the bar, as a fraction of its slot. */
  width: number
  series: readonly BarSeries<Row>[]
}

function Pile<Row>({ row, index, max, series, width }: PileProps<Row>) {
  let top = 100
  return series.map(({ name, tone, valueOf }) => {
    const height = (valueOf(row) / max) * 100
    top -= height
    return (
      <rect key={name} className={classes[tone]} x={index + (1 - width) / 2} y={top} width={width} height={height} />
    )
  })
}

function describeBar<Row>(row: Row, { labelOf, series, line }: PlotProps<Row>): string {
  const before = line?.valueOf(row) ?? null
  const values = series.map(({ name, valueOf }) => `${name} ${valueOf(row).toLocaleString(language)}`)
  if (line !== undefined && before !== null) values.push(`${line.name} ${before.toLocaleString(language)}`)
  return `${labelOf(row)}: ${values.join(', ')}`
}
