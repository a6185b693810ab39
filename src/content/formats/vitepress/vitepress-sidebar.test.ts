import { describe, expect, it } from 'vitest'
import type { ConfigValue } from '../../site-config/config-value.ts'
import { FindingList } from '../../finding-list.ts'
import { readVitepressSidebar, type SidebarPlace } from './vitepress-sidebar.ts'

function read(sidebar: ConfigValue): Map<string, SidebarPlace> {
  const places = new Map<string, SidebarPlace>()
  readVitepressSidebar(sidebar, { base: '/', locale: '', findings: new FindingList(), places })
  return places
}

/** A group within a group, and so on; each has a page of its own. */
function nest(depth: number): ConfigValue {
  let entry: ConfigValue = { text: `Page ${depth}`, link: `/page-${depth}` }
  for (let level = depth - 1; level >= 0; level--)
    entry = { text: `Group ${level}`, link: `/page-${level}`, items: [entry] }
  return [entry]
}

describe('groups within groups', () => {
  it('name the sections of a page, outermost first', () => {
    expect(read(nest(2)).get('/page-2')).toMatchObject({ title: 'Page 2', section: ['Group 0', 'Group 1'] })
  })

  it('are read twenty levels deep and no deeper', () => {
    const places = [...read(nest(2_000)).keys()]

    expect(places).toEqual(Array.from({ length: 21 }, (_, level) => `/page-${level}`))
  })
})
