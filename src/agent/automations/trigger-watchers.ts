import { hastenAutomations, listWatchingAutomations } from '../../store/automations.ts'
import type { AutomationDeps } from './automation-deps.ts'

/** Branches that somebody told of: those of sites, and those of context repositories. */
export interface WatchedPlaces {
  siteIds: readonly string[]
  contextIds: readonly string[]
}

/** Has the automations that watch a branch look at it now. @returns Whether there are any. */
export async function triggerWatchers(
  { store, clock }: Pick<AutomationDeps, 'store' | 'clock'>,
  places: WatchedPlaces,
): Promise<boolean> {
  if (places.siteIds.length + places.contextIds.length === 0) return false
  const watching = await listWatchingAutomations(store.durable, places)
  await hastenAutomations(
    store.durable,
    watching.map(({ id }) => id),
    clock.now(),
  )
  return watching.length > 0
}
