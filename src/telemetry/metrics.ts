import type { CounterName, GaugeName, HistogramName, LabelsOf } from './metric-catalogue.ts'

/** Records measurements. Cheap, and never throws: measuring must not disturb the work. */
export interface Metrics {
  /** @param amount At least 0; default 1. */
  add<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, amount?: number): void
  /** @param value Seconds. */
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void
  /** Moves a gauge up, or down for a negative amount. */
  change<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, amount: number): void
}

/** Used when metrics are off. */
export const noMetrics: Metrics = { add() {}, observe() {}, change() {} }
