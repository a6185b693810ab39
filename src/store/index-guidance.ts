import type { Kysely } from 'kysely'
import { parseObject } from './json-column.ts'
import type { Database } from './schema.ts'

/** What the owner of a site tells its assistant, out of the site's source. */
export interface SiteGuidance {
  /** Appended to the instructions of the model; empty when there are none. */
  instructions: string
  skills: AssistantSkill[]
}

/** Instructions for questions of one kind, read when they fit. */
export interface AssistantSkill {
  /** Letters, digits and hyphens; unique on its site. */
  name: string
  description: string
  body: string
}

export const noGuidance: SiteGuidance = { instructions: '', skills: [] }

/** Stores the guidance of a new generation; one without any has no row. */
export async function insertIndexGuidance(
  db: Kysely<Database>,
  generationId: string,
  guidance: SiteGuidance,
): Promise<void> {
  if (guidance.instructions === '' && guidance.skills.length === 0) return
  await db
    .insertInto('index_guidance')
    .values({ generation_id: generationId, guidance: JSON.stringify(guidance) })
    .execute()
}

export async function getIndexGuidance(db: Kysely<Database>, generationId: string): Promise<SiteGuidance> {
  const row = await db
    .selectFrom('index_guidance')
    .select('guidance')
    .where('generation_id', '=', generationId)
    .executeTakeFirst()
  return row === undefined ? noGuidance : parseObject<SiteGuidance>('index_guidance.guidance', row.guidance)
}
