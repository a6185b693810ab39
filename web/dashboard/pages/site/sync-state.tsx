import { Link } from '@tanstack/react-router'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Notice } from '../../../ui/notice.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { useSession } from '../../api/session.ts'
import { isSyncing } from '../../api/sites.ts'
import { siteWord } from '../../shell/places.ts'
import { describeSiteState } from './site-state.ts'
import { say } from '../../../words/say.ts'

/** Progress of the current sync, or why the latest one failed. Empty if all is well. */
export function SyncState({ site }: { site: SiteResource }) {
  const { organization } = useSession()
  const { label, tone, message } = describeSiteState(site)
  if (isSyncing(site)) {
    const progress = site.run?.progress ?? null
    const isCounted = progress !== null && progress.pagesTotal > 0
    return (
      <ProgressBar
        label={message ?? `${label} …`}
        value={isCounted ? progress.pagesDone : null}
        max={progress?.pagesTotal ?? 1}
      />
    )
  }
  if (message === null) return null
  return (
    <Notice tone={tone}>
      {message}{' '}
      <Link to="/$organization/$domain/settings" params={{ organization: organization.id, domain: siteWord(site) }}>
        {say('See the source')}
      </Link>
    </Notice>
  )
}
