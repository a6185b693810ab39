import { hostRedirects } from '../../navigation/host-redirects.ts'
import type { NavigationSite, SiteNavigation } from '../../navigation/site-navigation.ts'

/** A folder of Markdown has no navigation but its files. */
export async function readMarkdownEntries(site: NavigationSite): Promise<SiteNavigation> {
  return {
    groups: [],
    computed: [],
    describeAutomatic: () => 'A folder of Markdown has no navigation: every page is listed by its path.',
    redirects: hostRedirects(site, 'A folder of Markdown'),
  }
}
