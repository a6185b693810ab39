import { type DriftState, toFact } from './drift-state.ts'
import type { FactForm } from './fact.ts'
import type { LapsedFact } from './lapsed-fact.ts'
import type { Mention, MentionForm } from './mention.ts'
import { isCompoundName } from './name-key.ts'
import { type Certainty, isOwnImport, classifyMention } from './classify-mention.ts'

/** A page that states what the product no longer has. */
export interface Drift {
  fact: LapsedFact
  page: string
  /** Object id of the page that was read. */
  object: string
  mentions: Mention[]
  isCertain: boolean
}

interface Match {
  lapsed: LapsedFact
  mention: Mention
  page: string
  object: string
}

const mentionForms: Readonly<Record<FactForm, MentionForm>> = {
  exported: 'name',
  member: 'name',
  read: 'name',
  variable: 'name',
  parameter: 'parameter',
  flag: 'flag',
  command: 'command',
  feature: 'feature',
  default: 'claim',
  endpoint: 'endpoint',
  field: 'field',
  package: 'package',
  file: 'file',
}

const driftsMax = 2_000

/**
 * What the pages state although the product lost it, whichever came first: looked up in the newest state of both, so
 * that a name that came back, or a page that was fixed, ends its finding. One for each name and page.
 */
export function findDrift(state: DriftState): Drift[] {
  const own = new Set(
    state
      .all(
        `SELECT DISTINCT f.key AS key FROM fact f JOIN live l ON l.blob = f.blob WHERE f.form IN ('package', 'command')`,
      )
      .map(({ key }) => String(key)),
  )
  const drifts = new Map<string, Drift>()
  const alive = new Map<number, boolean>()
  for (const row of state.iterate(matches)) {
    const match = toMatch(row)
    const { lapsed, mention, page, object } = match
    const certainty = judge(state, match, own, alive, Number(row['lapsed_id']))
    if (certainty === null) continue
    const id =
      lapsed.package === ''
        ? `${lapsed.form === 'default' ? 'default ' : ''}${lapsed.key}\n${page}`
        : `package ${lapsed.package}`
    const known = drifts.get(id)
    const isCertain = certainty === 'certain'
    if (known === undefined) drifts.set(id, { fact: lapsed, page, object, mentions: [mention], isCertain })
    else if (known.page === page) addMention(known, lapsed, mention, isCertain)
    if (drifts.size >= driftsMax) break
  }
  // An operation whose path is gone is reported with the path.
  const isTold = ({ fact: { form, key }, page }: Drift) =>
    form === 'endpoint' && key.includes(' ') && drifts.has(`${key.replace(/^\S+ /, '')}\n${page}`)
  return [...drifts.values()].filter((drift) => !isTold(drift))
}

function addMention(drift: Drift, lapsed: LapsedFact, mention: Mention, isCertain: boolean): void {
  if (!drift.mentions.some(({ line }) => line === mention.line)) drift.mentions.push(mention)
  if (isCertain && !drift.isCertain) Object.assign(drift, { isCertain, fact: lapsed })
}

function judge(
  state: DriftState,
  { lapsed, mention, page }: Match,
  own: ReadonlySet<string>,
  alive: Map<number, boolean>,
  id: number,
): Certainty | null {
  const certainty = classifyMention(lapsed, mention, { own, page })
  if (certainty === null) return null
  if (mention.form === 'flag' && lapsed.form !== 'flag') {
    const isAlive = state.hasWord(lapsed.key) || (lapsed.form === 'member' && state.isAlive(lapsed))
    return isAlive || state.hasFlagStart(mention.key) ? null : certainty
  }
  if (lapsed.form === 'file') return state.isAlive({ ...lapsed, name: mention.name }) ? null : certainty
  if (lapsed.form === 'flag' && lapsed.owner !== '' && mention.owner === lapsed.owner) {
    return state.hasFlag(lapsed.key, lapsed.owner) ? null : 'likely'
  }
  const isAlive = alive.get(id) ?? state.isAlive(lapsed)
  alive.set(id, isAlive)
  if (isAlive)
    return lapsed.form === 'exported' && isOwnImport(mention, own) && !state.isReachable(lapsed.key) ? 'likely' : null
  if (lapsed.form !== 'default') return certainty
  return state.listDefaults(lapsed.key).length > 1 ? (isCompoundName(lapsed.key) ? 'likely' : null) : certainty
}

/** @param join Which mentions may speak of a lapsed fact `l`. */
const select = (join: string) => `
  SELECT l.*, l.id AS lapsed_id, p.path AS page, p.object AS object, m.form AS m_form, m.key AS m_key, m.name AS m_name,
    m.owner AS m_owner, m.value AS m_value, m.line AS m_line, m.place AS m_place, m.source AS m_source,
    m.is_name AS m_is_name
  FROM lapsed l CROSS JOIN mention m ON m.key = l.key AND ${join} JOIN page p ON p.blob = m.blob`

/** Many functions have a parameter of the same name, so those are looked up by both. From few facts to many mentions. */
const matches = `
  ${select(`m.form = l.form AND m.owner = l.owner AND l.form IN ('parameter', 'field')`)}
  UNION ALL
  ${select(
    `l.form NOT IN ('parameter', 'field') AND m.form = CASE l.form ${Object.entries(mentionForms)
      .map(([form, mention]) => `WHEN '${form}' THEN '${mention}'`)
      .join(' ')} END`,
  )}
  UNION ALL
  ${select(`m.form = 'flag' AND l.form IN ('member', 'parameter')`)}
  ORDER BY page, m_line`

function toMatch(row: Record<string, unknown>): Match {
  const {
    repository,
    path,
    base,
    revision,
    successor,
    is_renamed: isRenamed,
    new_path: newPath,
    new_line: newLine,
  } = row
  const { form, key, name, owner, value, line, is_public, package: left } = row
  const fact = toFact({ form, key, name, owner, value, line, is_public })
  const change = {
    repository,
    path,
    base,
    revision,
    successor,
    isRenamed: Boolean(isRenamed),
    newPath,
    newLine,
    package: left,
  }
  const mention = Object.fromEntries(
    ['form', 'key', 'name', 'owner', 'value', 'line', 'place', 'source'].map((column) => [column, row[`m_${column}`]]),
  )
  // The columns of STRICT tables that this room writes.
  return {
    lapsed: { ...fact, ...change } as LapsedFact,
    mention: { ...mention, isName: Boolean(row['m_is_name']) } as Mention,
    page: String(row['page']),
    object: String(row['object']),
  }
}
