import { addToList } from '../../base/add-to-list.ts'
import type { SitePage } from '../../content/site-page.ts'
import {
  compareStatements,
  measureLikeness,
  readStatement,
  readTemplate,
  type Statement,
} from './compare-statements.ts'
import { type Fact, listFacts } from './list-facts.ts'
import { findNewPath, type PageMoves } from './match-pages.ts'
import { partition } from './partition.ts'

/** What became of a fact that a page stated. */
export interface ChangedFact {
  kind: 'removed' | 'contradicted' | 'moved' | 'altered'
  before: Fact
  /** What replaced it, or its new place; null if it is gone. */
  after: Fact | null
}

/** A changed fact without the text of its pages. */
export interface StatedChange extends Pick<ChangedFact, 'kind'> {
  before: StatedFact
  after: StatedFact | null
}

type StatedFact = Pick<Fact, 'key' | 'text'> & { page: Pick<SitePage, 'path'> }

const likenessMin = 0.45
/** For what replaced the fact. */
const likenessMinInPlace = 0.2
/** A word in more new facts of a page does not show which of them replaces a fact. */
const commonWordFacts = 200
/** Short statements are alike by chance. */
const templateWordsMin = 6
/** The share of a section's facts that must move together for the section to be renamed rather than taken apart. */
const renamedShareMin = 0.6
/** Most sections to look at for a line that recurs, new ones first. */
const placesMax = 200

interface PagePair {
  before: SitePage | null
  after: SitePage | null
}

/** Finds what a change of the pages that anyone may see does to the facts that they state. */
export function compareFacts(before: readonly SitePage[], after: readonly SitePage[], moves: PageMoves): ChangedFact[] {
  const pairs = pairPages(before, after, moves).filter(isChanged)
  if (pairs.length === 0) return []
  const compared = pairs.map(comparePages)
  const gained = compared.flatMap((pair) => pair.gained)
  const byKey = Map.groupBy(gained, editionKey)
  const settled = compared.flatMap(({ lost, gained: ofPage, moved }) => {
    const [elsewhere, gone] = partition(lost, (fact) => byKey.has(editionKey(fact)))
    const carried = elsewhere.map((fact): ChangedFact => ({
      kind: 'moved',
      before: fact,
      after: byKey.get(editionKey(fact))?.[0] ?? null,
    }))
    const landed = new Set(carried.map(({ before: { key } }) => key))
    return [
      ...moved,
      ...carried,
      ...matchReplacements(
        gone,
        ofPage.filter(({ key }) => !landed.has(key)),
      ),
    ]
  })
  const known = new Set(settled.flatMap((change) => change.after ?? []))
  return [
    ...settled,
    ...findContradicted(
      gained.filter((fact) => !known.has(fact)),
      after,
    ),
  ]
}

function pairPages(before: readonly SitePage[], after: readonly SitePage[], moves: PageMoves): PagePair[] {
  const left = new Map(after.map((page) => [page.path, page]))
  const pairs = before.map((page): PagePair => {
    const path = findNewPath(moves, page.path)
    const twin = path === null ? null : (left.get(path) ?? null)
    if (twin !== null) left.delete(twin.path)
    return { before: page, after: twin }
  })
  return [...pairs, ...[...left.values()].map((page): PagePair => ({ before: null, after: page }))]
}

function isChanged({ before, after }: PagePair): boolean {
  return before?.markdown !== after?.markdown || before?.description !== after?.description
}

interface ComparedPages {
  lost: Fact[]
  gained: Fact[]
  moved: ChangedFact[]
}

function comparePages({ before, after }: PagePair): ComparedPages {
  const [old, now] = [before === null ? [] : listFacts(before), after === null ? [] : listFacts(after)]
  const [oldByKey, nowByKey] = [Map.groupBy(old, ({ key }) => key), Map.groupBy(now, ({ key }) => key)]
  const renamed = findRenamedSections(old, nowByKey)
  const moved = old.flatMap((fact): ChangedFact[] => {
    const there = nowByKey.get(fact.key)
    if (there === undefined || there.some(({ section }) => section === (renamed.get(fact.section) ?? fact.section)))
      return []
    return [{ kind: 'moved', before: fact, after: there[0] ?? null }]
  })
  return {
    lost: old.filter(({ key }) => !nowByKey.has(key)),
    gained: now.filter(({ key }) => !oldByKey.has(key)),
    moved,
  }
}

/** Sections of a page that were renamed or moved, judged by most of their facts. */
function findRenamedSections(old: readonly Fact[], nowByKey: ReadonlyMap<string, Fact[]>): Map<string, string> {
  const sections = new Set([...nowByKey.values()].flat().map(({ section }) => section))
  const known = new Set(old.map(({ section }) => section))
  const lastOf = (section: string) => section.split('\n').at(-1)
  const renamed = new Map<string, string>()
  const places = new Map<string, readonly string[]>()
  const placesOf = (key: string) => {
    const [come, there] = partition(
      [...new Set(nowByKey.get(key)?.map(({ section }) => section))],
      (section) => !known.has(section),
    )
    return [...come, ...there].slice(0, placesMax)
  }
  for (const [section, facts] of Map.groupBy(old, (fact) => fact.section)) {
    if (sections.has(section)) continue
    // Lines of samples recur in other sections, so every place of a fact counts.
    const shares = new Map<string, number>()
    const left = facts.filter(({ key }) => nowByKey.has(key))
    for (const { key } of left) {
      if (!places.has(key)) places.set(key, placesOf(key))
      for (const place of places.get(key) ?? []) shares.set(place, (shares.get(place) ?? 0) + 1)
    }
    const rankOf = (target: string) => Number(!known.has(target)) + Number(lastOf(target) === lastOf(section))
    const [most] = [...shares].toSorted((one, other) => other[1] - one[1] || rankOf(other[0]) - rankOf(one[0]))
    if (most !== undefined && most[1] >= renamedShareMin * left.length) renamed.set(section, most[0])
  }
  return renamed
}

/** Pairs facts that a page has lost with those it has gained. */
function matchReplacements(lost: readonly Fact[], gained: readonly Fact[]): ChangedFact[] {
  if (lost.length === 0) return []
  const [old, now] = [lost, gained].map((facts) =>
    facts.map((fact) => ({ fact, statement: readStatement(fact.text, fact.isCode) })),
  )
  const candidates = rankCandidates(old ?? [], now ?? [])
  const chosen = new Map<Fact, Stated>()
  const taken = new Set<Fact>()
  for (const { one, other } of candidates) {
    if (chosen.has(one.fact) || taken.has(other.fact)) continue
    chosen.set(one.fact, other)
    taken.add(other.fact)
  }
  const sections = new Map(
    [...Map.groupBy(now ?? [], ({ fact }) => fact.section)].map(([name, said]) => [name, readSection(said)]),
  )
  return (old ?? []).map((stated) =>
    describeReplacement(stated, chosen.get(stated.fact) ?? null, sections.get(stated.fact.section) ?? readSection([])),
  )
}

interface Stated {
  fact: Fact
  statement: Statement
}

/** What a section says that it did not say before. */
interface SaidSection {
  first: Fact | null
  /** How often each word is said. */
  words: ReadonlyMap<string, number>
}

function readSection(said: readonly Stated[]): SaidSection {
  const words = new Map<string, number>()
  for (const word of said.flatMap(({ statement }) => statement.words)) words.set(word, (words.get(word) ?? 0) + 1)
  return { first: said[0]?.fact ?? null, words }
}

function rankCandidates(old: readonly Stated[], now: readonly Stated[]) {
  const byWord = new Map<string, Stated[]>()
  for (const stated of now) {
    for (const word of new Set(stated.statement.words)) addToList(byWord, word, stated)
  }
  const candidates = old.flatMap((one) => {
    const near = one.statement.words.flatMap((word) => {
      const facts = byWord.get(word) ?? []
      return facts.length > commonWordFacts ? [] : facts
    })
    return [...new Set(near)].map((other) => ({
      one,
      other,
      likeness: measureLikeness(one.statement, other.statement),
    }))
  })
  const isAlike = ({ one, other, likeness }: (typeof candidates)[number]) =>
    likeness >= (one.fact.section === other.fact.section ? likenessMinInPlace : likenessMin)
  return candidates.filter(isAlike).sort((a, b) => b.likeness - a.likeness)
}

function describeReplacement({ fact, statement }: Stated, other: Stated | null, section: SaidSection): ChangedFact {
  if (other === null) {
    const isDivided = statement.words.length > 0 && statement.words.every((word) => section.words.has(word))
    return { kind: isDivided ? 'altered' : 'removed', before: fact, after: isDivided ? section.first : null }
  }
  const own = other.fact.section === fact.section ? other.statement.words : []
  const isAround = (word: string) => (section.words.get(word) ?? 0) > own.filter((each) => each === word).length
  const kind = compareStatements(statement, other.statement, isAround)
  return { kind: kind === 'lost' ? 'removed' : kind, before: fact, after: other.fact }
}

/** Facts that stay, and that a new one denies: the same but for a value. */
function findContradicted(gained: readonly Fact[], after: readonly SitePage[]): ChangedFact[] {
  const templates = new Map<string, Fact>()
  for (const fact of gained) {
    const statement = readStatement(fact.text)
    if (statement.words.length >= templateWordsMin) templates.set(templateKey(fact, statement), fact)
  }
  if (templates.size === 0) return []
  const added = new Set(gained.map(({ page, key }) => `${page.path}\n${key}`))
  return after.flatMap((page) =>
    listFacts(page).flatMap((fact): ChangedFact[] => {
      if (added.has(`${page.path}\n${fact.key}`)) return []
      const other = templates.get(templateKey(fact, readStatement(fact.text)))
      return other === undefined || other.key === fact.key ? [] : [{ kind: 'contradicted', before: fact, after: other }]
    }),
  )
}

const templateKey = (fact: Fact, statement: Statement) => `${editionOf(fact.page)}\n${readTemplate(statement)}`
const editionKey = (fact: Fact) => `${editionOf(fact.page)}\n${fact.key}`

/** Versions and languages say the same without repeating each other. */
const editionOf = ({ version, language }: SitePage) => `${version ?? ''}\n${language ?? ''}`
