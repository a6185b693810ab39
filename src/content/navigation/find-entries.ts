import { rankBySimilarity } from '../links/nearest-address.ts'
import type { EntryPlace } from './navigation-change.ts'
import type { NavigationEntry, NavigationGroup, PageName, PageToList, SiteNavigation } from './site-navigation.ts'
import type { NewElement } from './splice-literals.ts'

/** An entry that names a page. */
export interface FoundEntry {
  group: NavigationGroup
  entry: NavigationEntry
  name: PageName
}

/** All groups, outer ones before those in them. */
export function listGroups(groups: readonly NavigationGroup[]): NavigationGroup[] {
  return groups.flatMap((group) => [group, ...listGroups(group.entries.flatMap((entry) => entry.groups))])
}

/** The entries that name a page, in order. */
export function listEntries({ groups }: Pick<SiteNavigation, 'groups'>, page: string): FoundEntry[] {
  return listGroups(groups).flatMap((group) =>
    group.entries.flatMap((entry) =>
      entry.names.filter(({ file }) => file === page).map((name) => ({ group, entry, name })),
    ),
  )
}

type Place = { group: NavigationGroup; index: number; element: NewElement } | { refusal: string }

const namedMax = 12

/** Finds where the entry of a page goes, and how it is written there. */
export function findPlace(
  navigation: SiteNavigation,
  page: PageToList,
  place: EntryPlace & { isNewGroup?: boolean },
): Place {
  const { after, before, group } = place
  const beside = after ?? before
  if (beside !== undefined) return findPlaceBeside(navigation, page, { beside, shift: after === undefined ? 0 : 1 })
  if (group !== undefined) return findPlaceInGroup(navigation, page, { title: group, isNew: place.isNewGroup === true })
  return findPlaceByFolder(navigation, page)
}

function findPlaceBeside(
  navigation: SiteNavigation,
  page: PageToList,
  { beside, shift }: { beside: string; shift: 0 | 1 },
): Place {
  const found = listEntries(navigation, beside).find(({ group }) => group.write(page) !== null)
  const element = found?.group.write(page) ?? null
  if (found === undefined || element === null) {
    return { refusal: `${beside} is not in a list of the navigation that could name ${page.file} too.` }
  }
  return { group: found.group, index: found.entry.index + shift, element }
}

function findPlaceInGroup(
  { groups }: SiteNavigation,
  page: PageToList,
  { title, isNew }: { title: string; isNew: boolean },
): Place {
  const all = listGroups(groups)
  const wanted = splitTitle(title)
  const named = all.filter(({ trail }) =>
    endsWith(
      trail.map((part) => part.toLowerCase()),
      wanted,
    ),
  )
  for (const group of named) {
    const element = group.write(page)
    if (element !== null) return { group, index: group.entries.length, element }
  }
  if (isNew) return addGroup(all, page, title)
  const titles = [...new Set(all.filter((group) => group.write(page) !== null).map(({ trail }) => trail.join(' > ')))]
  const shown = rankBySimilarity(
    title,
    titles.filter((name) => name !== ''),
    namedMax,
  )
  const known = shown.length === 0 ? 'It has no group with a title.' : `Its groups: ${shown.join('; ')}.`
  return { refusal: `The navigation has no group "${title}" that can name ${page.file}. ${known}` }
}

/** Behind the last group of the outermost list that takes groups. */
function addGroup(all: readonly NavigationGroup[], page: PageToList, title: string): Place {
  const path = title.split(/\s*>\s*/)
  const outer = path.slice(0, -1).map((part) => part.toLowerCase())
  const within = all.filter(({ trail }) =>
    endsWith(
      trail.map((part) => part.toLowerCase()),
      outer,
    ),
  )
  for (const group of within) {
    const element = group.writeGroup(path.at(-1) ?? title, [page])
    if (element !== null) return { group, index: group.entries.length, element }
  }
  return { refusal: `The navigation has no list that takes a group "${title}".` }
}

function endsWith(trail: readonly string[], wanted: readonly string[]): boolean {
  return (
    wanted.length <= trail.length && wanted.every((part, index) => trail[trail.length - wanted.length + index] === part)
  )
}

/** Behind the last page of the nearest folder that the navigation names; else behind the last page. */
function findPlaceByFolder({ groups }: SiteNavigation, page: PageToList): Place {
  let best: { group: NavigationGroup; index: number; shared: number } | null = null
  for (const group of listGroups(groups)) {
    if (group.write(page) === null) continue
    const shownAt = group.trail.find((title) => title.startsWith('/'))
    for (const { index, names } of group.entries) {
      for (const { file } of names) {
        const shared = countShared(file, page.file) + (shownAt === undefined ? 0 : 0.5)
        if (best === null || shared >= best.shared) best = { group, index: index + 1, shared }
      }
    }
  }
  const group = best?.group ?? listGroups(groups).find((candidate) => candidate.write(page) !== null)
  const element = group?.write(page) ?? null
  if (group === undefined || element === null)
    return { refusal: `The navigation has no list that can name ${page.file}.` }
  return { group, index: best?.index ?? group.entries.length, element }
}

/** How many folders two paths share from the root; those of one folder share one more. */
function countShared(one: string, other: string): number {
  const [a, b] = [one.split('/').slice(0, -1), other.split('/').slice(0, -1)]
  const different = a.findIndex((part, index) => part !== b[index])
  const shared = different === -1 ? a.length : different
  return shared + (a.length === b.length && shared === a.length ? 1 : 0)
}

/** An entry in the list that holds it. */
export interface TitledEntry {
  list: NavigationGroup
  entry: NavigationEntry
}

/** The groups with a title, or with titles from the outside in, separated by `>`; one for each place where it is written. */
export function findGroupsTitled({ groups }: Pick<SiteNavigation, 'groups'>, title: string): TitledEntry[] {
  const wanted = splitTitle(title)
  const found = listGroups(groups).flatMap((list) =>
    list.entries
      .filter((entry) => entry.groups.length > 0 && entry.title !== null)
      .filter((entry) =>
        endsWith(
          [...list.trail, entry.title ?? ''].map((part) => part.toLowerCase()),
          wanted,
        ),
      )
      .map((entry) => ({ list, entry })),
  )
  const places = new Map(found.map((each) => [placeOf(each), each]))
  return [...places.values()]
}

const splitTitle = (title: string) => title.split(/\s*>\s*/).map((part) => part.trim().toLowerCase())

function placeOf({ list, entry: { titleNode, index } }: TitledEntry): string {
  const { file, start } = titleNode === null ? list.container : 'field' in titleNode ? titleNode.container : titleNode
  return `${file} ${start} ${titleNode === null ? index : 'field' in titleNode ? titleNode.field.start : ''}`
}
