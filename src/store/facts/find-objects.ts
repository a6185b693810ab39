import { type RawBuilder, sql } from 'kysely'
import { type FoundObject, objectsPerKindMax } from '../../contract/operations/objects.ts'
import { columnContains } from '../like-pattern.ts'
import type { Db } from '../schema.ts'

export interface ObjectSearch {
  organizationId: string
  /** Empty for the newest objects. */
  words: readonly string[]
}

/** More words hardly tell objects apart, and each is looked for in every column. */
const wordsMax = 8

/** Conversations and jobs are only looked for among the newest: their text is long, and no index finds words in it. */
const newestMax = 1_000

const titleCharsMax = 200

/**
 * Finds keys, jobs, conversations, pull requests and members by words of their names, in any order.
 *
 * @returns At most `objectsPerKindMax` of each kind: those that contain the most words first, then the newest.
 */
export async function findObjects(db: Db, { organizationId, words }: ObjectSearch): Promise<FoundObject[]> {
  const sources = [keys, jobs, conversations, pullRequests, members]
  const found = await Promise.all(sources.map((source) => find(db, source(organizationId), words.slice(0, wordsMax))))
  return found.flat()
}

/** A query for `kind, id, title, detail, site_id, path`, and `at`, by which the newest come first. */
type Source = (organizationId: string) => RawBuilder<unknown>

async function find(db: Db, source: RawBuilder<unknown>, words: readonly string[]) {
  const held = words.map((word) => {
    const columns = ['found.title', 'found.detail'].map((column) => columnContains(column, word))
    return sql`case when ${sql.join(columns, sql` or `)} then 1 else 0 end`
  })
  const count = held.length === 0 ? sql`1` : sql.join(held, sql` + `)
  const { rows } = await sql<FoundObject>`
    select kind, id, title, detail, site_id, path
    from (select found.*, ${count} as held from (${source}) as found) as counted
    where held > 0 order by held desc, at desc limit ${objectsPerKindMax}`.execute(db)
  return rows
}

const ofProjects = (organizationId: string) =>
  sql`select projects.id from projects where projects.organization_id = ${organizationId}`

const keys: Source = (organizationId) => sql`
  select 'key' as kind, id, name as title, hint as detail, site_id, null as path, id as at
  from keys where organization_id = ${organizationId} and revoked_at is null`

const jobs: Source = (organizationId) => sql`
  select 'job' as kind, id, coalesce(title, substr(prompt, 1, ${titleCharsMax})) as title, branch as detail, site_id,
    null as path, id as at
  from agent_jobs where project_id in (${ofProjects(organizationId)}) order by id desc limit ${newestMax}`

/** Named by their first question. */
const conversations: Source = (organizationId) => sql`
  select 'conversation' as kind, newest.id, substr(messages.text, 1, ${titleCharsMax}) as title, newest.name as detail,
    newest.site_id, null as path, messages.id as at
  from (
    select threads.site_id, threads.id, sites.name from threads join sites on sites.id = threads.site_id
    where sites.project_id in (${ofProjects(organizationId)}) order by threads.updated_at desc limit ${newestMax}
  ) as newest
  join messages on messages.id = (
    select first.id from messages as first
    where first.site_id = newest.site_id and first.thread_id = newest.id and first.role = 'user'
    order by first.created_at, first.id limit 1
  )`

const pullRequests: Source = (organizationId) => sql`
  select 'pull-request' as kind, pull_requests.id, pull_requests.title,
    repositories.name || ' #' || pull_requests.number as detail, null as site_id,
    '/pull/' || pull_requests.secret || '/' || pull_requests.number as path, pull_requests.id as at
  from pull_requests join repositories on repositories.id = pull_requests.repository_id
  where repositories.organization_id = ${organizationId}`

const members: Source = (organizationId) => sql`
  select 'member' as kind, id, name as title, coalesce(email, '') as detail, null as site_id, null as path, id as at
  from users where organization_id = ${organizationId}`
