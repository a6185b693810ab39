import type { CounterName, GaugeName, HistogramName, LabelsOf } from './metric-catalogue.ts'

/** Takes measurements. Cheap, and never throws: what is measured must not suffer from it. */
export interface Metrics {
  /** @param amount At least 0; 1 unless given. */
  add<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, amount?: number): void
  /** @param value Seconds. */
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void
  /** Moves a gauge up or, with a negative amount, down. */
  change<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, amount: number): void
}

/** For a process whose operator collects nothing. */
export const noMetrics: Metrics = { add() {}, observe() {}, change() {} }
