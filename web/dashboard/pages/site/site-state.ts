import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { say, sayCount } from '../../../words/say.ts'

export interface SiteState {
  tone: Tone
  label: string
  /** A sentence, or null. */
  message: string | null
}

const stepNames = {
  fetching: say('Fetching'),
  reading: say('Reading'),
  building: say('Building'),
  publishing: say('Publishing'),
} as const

/** Badge for a site's latest sync. */
export function describeSiteState({
  run,
  generation,
  confirmation,
}: Pick<SiteResource, 'run' | 'generation' | 'confirmation'>): SiteState {
  if (run?.state === 'queued') return { tone: 'accent', label: say('Waiting to sync'), message: null }
  if (run?.state === 'running')
    return { tone: 'accent', label: say('Syncing'), message: describeProgress(run.progress) }
  if (run?.state === 'failed') {
    const failure = run.failure ?? say('The sync failed.')
    const message = generation === null ? failure : `${failure} ${say('The previous version is still served.')}`
    return { tone: 'danger', label: say('Sync failed'), message }
  }
  if (generation === null) return { tone: 'neutral', label: say('Not synced yet'), message: null }
  if (confirmation !== null) return { tone: 'warning', label: say('Waiting for confirmation'), message: null }
  return { tone: 'success', label: say('Up to date'), message: null }
}

function describeProgress(progress: NonNullable<SiteResource['run']>['progress']): string | null {
  if (progress === null) return null
  const pages =
    progress.pagesTotal > 0
      ? ` ${sayCount(progress.pagesTotal, '{pagesDone} of {count} page', '{pagesDone} of {count} pages', { pagesDone: progress.pagesDone })}`
      : ''
  return `${stepNames[progress.step]}${pages} …`
}
