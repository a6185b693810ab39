import type { SyncRunResource } from '../contract/admin.ts'

/** Output for progress, such as `process.stderr`. */
export interface ProgressStream {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

export interface SyncProgress {
  /** Draws the current progress. */
  update(run: SyncRunResource): void
  /** Erases the bar, so that the next line starts clean. */
  end(): void
}

const barChars = 24
const eraseLine = '\r\u001B[K'

/** Pages between two lines without a terminal, where a bar cannot be redrawn. */
const linePagesStep = 200

const stepNames: Record<NonNullable<SyncRunResource['progress']>['step'], string> = {
  fetching: 'fetching the source',
  reading: 'reading pages',
  building: 'building the index',
  publishing: 'publishing',
}

/** A redrawn bar on a terminal; otherwise a line for each step and every 200 pages. */
export function createSyncProgress(stream: ProgressStream, site: string): SyncProgress {
  return stream.isTTY === true ? createBar(stream, site) : createLines(stream, site)
}

function createBar(stream: ProgressStream, site: string): SyncProgress {
  return {
    update: (run) => {
      const line = `${site}  ${drawBar(run)}  ${describeStep(run)}`
      // A wrapped line could not be overwritten.
      stream.write(eraseLine + line.slice(0, Math.max(10, (stream.columns ?? 80) - 1)))
    },
    end: () => void stream.write(eraseLine),
  }
}

function drawBar({ progress }: SyncRunResource): string {
  const share = progress === null || progress.pagesTotal === 0 ? 0 : progress.pagesDone / progress.pagesTotal
  const filled = Math.round(Math.min(1, share) * barChars)
  return `[${'#'.repeat(filled)}${'.'.repeat(barChars - filled)}]`
}

function createLines(stream: ProgressStream, site: string): SyncProgress {
  let last = ''
  return {
    update: (run) => {
      const key = `${run.state} ${run.progress?.step} ${Math.floor((run.progress?.pagesDone ?? 0) / linePagesStep)}`
      if (key === last) return
      last = key
      stream.write(`${site}: ${describeStep(run)}\n`)
    },
    end: () => {},
  }
}

function describeStep({ state, progress }: SyncRunResource): string {
  if (state === 'queued' || progress === null) return 'waiting for the worker'
  const { step, pagesDone, pagesTotal } = progress
  const isCounted = step === 'reading' || (step === 'fetching' && pagesTotal > 0)
  return isCounted ? `${stepNames[step]} ${pagesDone}/${pagesTotal}` : stepNames[step]
}
