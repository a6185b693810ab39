import type { SiteResource } from '../../../src/contract/admin.ts'
import { projectOperations } from '../../../src/contract/operations/projects.ts'
import { siteOperations } from '../../../src/contract/operations/sites.ts'
import { listOf } from './call.ts'

/** Polling interval during a sync, in case events are missed. */
const syncPollMs = 1_500

export const sitesQuery = {
  ...listOf(siteOperations.listSites),
  refetchInterval: ({ state }: { state: { data: SiteResource[] | undefined } }) =>
    state.data?.some(isSyncing) === true ? syncPollMs : false,
}

export function isSyncing({ run }: Pick<SiteResource, 'run'>): boolean {
  return run?.state === 'queued' || run?.state === 'running'
}

export const projectsQuery = listOf(projectOperations.listProjects)
