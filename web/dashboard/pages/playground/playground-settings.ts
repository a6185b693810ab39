import { splitWords } from '../search-test/search-form.ts'

/** What is other than for readers, while the playground is open. Empty: as the site has it. */
export interface PlaygroundSettings {
  model: string
  /** Null: those of the site. */
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

/** What is sent beside the messages: only what was set. */
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
