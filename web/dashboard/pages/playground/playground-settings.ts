import { splitWords } from '../search-test/search-form.ts'

/** Overrides for the playground. Empty values use the site's settings. */
export interface PlaygroundSettings {
  model: string
  /** Null for the site's own. */
  instructions: string | null
  pageSize: string
  version: string
  language: string
  tag: string
  groups: string
  page: string
  skills: boolean
}

export const siteSettings: PlaygroundSettings = {
  model: '',
  instructions: null,
  pageSize: '',
  version: '',
  language: '',
  tag: '',
  groups: '',
  page: '',
  skills: true,
}

/** The request fields, with only the set values. */
export function readSettings(settings: PlaygroundSettings): Record<string, unknown> {
  const { model, instructions, pageSize, version, language, tag, groups, page, skills } = settings
  const filter = Object.entries({ version, language, tag }).filter(([, value]) => value.trim() !== '')
  const groupNames = splitWords(groups)
  return {
    ...(model !== '' && { model }),
    ...(instructions !== null && { instructions }),
    ...(Number(pageSize) >= 1 && { retrievalPageSize: Number(pageSize) }),
    ...(filter.length > 0 && { filter: Object.fromEntries(filter) }),
    ...(groupNames !== null && { groups: groupNames }),
    ...(page.trim() !== '' && { currentPath: page.trim() }),
    ...(!skills && { skills }),
  }
}
