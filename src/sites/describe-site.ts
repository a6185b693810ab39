import type { SiteContent } from '../content/site-page.ts'
import type { IndexHeader } from '../search/search-query.ts'

/** More than any site has, and few enough to list. */
const apiFilesMax = 50

/** Site-wide facts of an index. */
export function describeSite(
  site: SiteContent,
  revision: string,
): Omit<IndexHeader, 'analyzer' | 'pageCount' | 'chunkCount'> {
  const { basePath, instructions } = site
  const apiFiles = listApiFiles(site)
  return {
    siteName: site.name,
    siteDescription: site.description,
    revision,
    defaultVersion: site.defaultVersion,
    defaultLanguage: site.defaultLanguage,
    ...(basePath === undefined ? {} : { basePath }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(apiFiles.length === 0 ? {} : { apiFiles }),
  }
}

/**
 * Only from pages that everyone may see: the name of an API description reveals something about the pages that show it.
 */
function listApiFiles({ pages, defaultVersion, defaultLanguage }: SiteContent): string[] {
  const shown = pages.filter(
    ({ isListed, isPublic, version, language }) =>
      isListed &&
      isPublic &&
      (version ?? defaultVersion) === defaultVersion &&
      (language ?? defaultLanguage) === defaultLanguage,
  )
  return [...new Set(shown.flatMap(({ apiFile }) => apiFile ?? []))].sort().slice(0, apiFilesMax)
}
