import { useId } from 'react'
import { BarChartPlot } from './bar-chart-plot.tsx'
import classes from './bar-chart.module.css'
import { type Column, DataTable } from './data-table.tsx'
import { joinClasses } from './join-classes.ts'
import { language } from '../words/language.ts'
import { say } from '../words/say.ts'

export interface BarSeries<Row> {
  name: string
  tone: 'accent' | 'warning' | 'danger'
  /** A number of zero or more. */
  valueOf(row: Row): number
}

export interface BarChartProps<Row> {
  /** What is counted, such as “Questions by day”. */
  title: string
  /** One per bar, in order, at least one. */
  rows: readonly Row[]
  /** Heading of the label column in the table, such as “Day”. */
  rowTitle: string
  /** Label of a bar. Must be unique. */
  labelOf(row: Row): string
  /** Stacked, the first at the bottom. */
  series: readonly [BarSeries<Row>, ...BarSeries<Row>[]]
  /** A dashed line to compare with, such as the period before; null where nothing is known. */
  line?: { name: string; valueOf(row: Row): number | null }
  /** What a click on a bar does, and the words for it. */
  onOpen?: { hint: string; open(row: Row): void }
}

/** Stacked bars over time, with the same numbers as a table for screen readers and exact values. */
export function BarChart<Row>({ rowTitle, ...plot }: BarChartProps<Row>) {
  const { title, rows, labelOf, series, line } = plot
  const titleId = useId()
  const columns: [Column<Row>, ...Column<Row>[]] = [
    { title: rowTitle, render: labelOf },
    ...series.map(({ name, valueOf }): Column<Row> => ({
      title: name,
      align: 'end',
      render: (row) => valueOf(row).toLocaleString(language),
    })),
    ...(line === undefined ? [] : [toLineColumn(line)]),
  ]
  return (
    <figure className={classes.chart} aria-labelledby={titleId}>
      <figcaption className={classes.head}>
        <span id={titleId} className={classes.title}>
          {title}
        </span>
        <ul className={classes.legend}>
          {series.map(({ name, tone }) => (
            <li key={name}>
              <span className={joinClasses(classes.swatch, classes[tone])} aria-hidden /> {name}
            </li>
          ))}
          {line === undefined ? null : (
            <li>
              <span className={classes.dash} aria-hidden /> {line.name}
            </li>
          )}
        </ul>
      </figcaption>
      <BarChartPlot {...plot} />
      <details className={classes.table}>
        <summary>{say('Show as a table')}</summary>
        <DataTable caption={title} columns={columns} rows={rows} keyOf={labelOf} />
      </details>
    </figure>
  )
}

function toLineColumn<Row>({ name, valueOf }: NonNullable<BarChartProps<Row>['line']>): Column<Row> {
  return { title: name, align: 'end', render: (row) => valueOf(row)?.toLocaleString(language) ?? '–' }
}
