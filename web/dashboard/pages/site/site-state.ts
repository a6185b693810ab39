import type { SiteResource } from '../../../../src/contract/admin.ts'
import { countOf } from '../../../../src/contract/count-of.ts'
import type { Tone } from '../../../ui/badge.tsx'

export interface SiteState {
  tone: Tone
  label: string
  /** A sentence, or null. */
  message: string | null
}

const stepNames = {
  fetching: 'Fetching',
  reading: 'Reading',
  building: 'Building',
  publishing: 'Publishing',
} as const

/** Badge for a site's latest sync. */
export function describeSiteState({
  run,
  generation,
  confirmation,
}: Pick<SiteResource, 'run' | 'generation' | 'confirmation'>): SiteState {
  if (run?.state === 'queued') return { tone: 'accent', label: 'Waiting to sync', message: null }
  if (run?.state === 'running') return { tone: 'accent', label: 'Syncing', message: describeProgress(run.progress) }
  if (run?.state === 'failed') {
    const served = generation === null ? '' : ' The previously published version is still served.'
    return { tone: 'danger', label: 'Sync failed', message: `${run.failure ?? 'The sync failed.'}${served}` }
  }
  if (generation === null) return { tone: 'neutral', label: 'Not synced yet', message: null }
  if (confirmation !== null) return { tone: 'warning', label: 'Waiting for confirmation', message: null }
  return { tone: 'success', label: 'Up to date', message: null }
}

function describeProgress(progress: NonNullable<SiteResource['run']>['progress']): string | null {
  if (progress === null) return null
  const pages = progress.pagesTotal > 0 ? ` ${progress.pagesDone} of ${countOf(progress.pagesTotal, 'page')}` : ''
  return `${stepNames[progress.step]}${pages} …`
}
