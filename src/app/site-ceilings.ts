import type { SiteCeilings } from '../assistant/site-account.ts'
import type { Settings } from '../config/settings.ts'

/** What a site may spend in a day where its owner has set nothing else. */
export function readSiteCeilings({
  siteCostPerDay,
  siteTokensPerDay,
}: Pick<Settings, 'siteCostPerDay' | 'siteTokensPerDay'>): SiteCeilings {
  return { usd: siteCostPerDay, tokens: siteTokensPerDay }
}
