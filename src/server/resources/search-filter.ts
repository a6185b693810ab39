import type { z } from 'zod'
import type { searchFilterSchema } from '../../contract/search.ts'
import type { SearchFilter } from '../../search/search-query.ts'

/** Converts a filter from its wire form, where null means absent, to the search's form. */
export function readSearchFilter(filter: z.output<typeof searchFilterSchema> | null | undefined): SearchFilter {
  const { version, language, tag, groups } = filter ?? {}
  return {
    ...(version == null || version === '' ? {} : { version }),
    ...(language == null || language === '' ? {} : { language }),
    ...(tag == null || tag === '' ? {} : { tag }),
    ...(groups == null ? {} : { groups }),
  }
}
