import { triggerAutomations, listWatchingAutomations } from '../../store/agent/automations.ts'
import type { AutomationDeps } from './automation-deps.ts'

/** Sites and context repositories whose branches moved. */
export interface WatchedPlaces {
  siteIds: readonly string[]
  contextIds: readonly string[]
}

/** Makes the automations that watch these branches due now. @returns Whether there are any. */
export async function triggerWatchers(
  { store, clock }: Pick<AutomationDeps, 'store' | 'clock'>,
  places: WatchedPlaces,
): Promise<boolean> {
  if (places.siteIds.length + places.contextIds.length === 0) return false
  const watching = await listWatchingAutomations(store.durable, places)
  await triggerAutomations(
    store.durable,
    watching.map(({ id }) => id),
    clock.now(),
  )
  return watching.length > 0
}
