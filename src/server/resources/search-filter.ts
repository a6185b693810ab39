import type { z } from 'zod'
import type { searchFilterSchema } from '../../contract/search.ts'
import type { SearchFilter } from '../../search/search-query.ts'

/** A filter as requests write it, where null is as good as absent, as the search takes it. */
export function readSearchFilter(filter: z.output<typeof searchFilterSchema> | null | undefined): SearchFilter {
  const { version, language, tag, groups } = filter ?? {}
  return {
    ...(version == null || version === '' ? {} : { version }),
    ...(language == null || language === '' ? {} : { language }),
    ...(tag == null || tag === '' ? {} : { tag }),
    ...(groups == null ? {} : { groups }),
  }
}
