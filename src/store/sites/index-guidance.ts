import type { Db } from '../schema.ts'
import type { SiteGuidance } from '../tables/sites.ts'

export type { SiteGuidance, AssistantSkill } from '../tables/sites.ts'

export const noGuidance: SiteGuidance = { instructions: '', skills: [], skill: '', suite: [] }

/** Stores the guidance of a new generation. Empty guidance has no row. */
export async function insertIndexGuidance(db: Db, generationId: string, guidance: SiteGuidance): Promise<void> {
  const { instructions, skills, skill, suite } = guidance
  if (instructions === '' && skills.length === 0 && skill === '' && suite.length === 0) return
  await db.insertInto('indexGuidance').values({ generationId, guidance }).execute()
}

export async function getIndexGuidance(db: Db, generationId: string): Promise<SiteGuidance> {
  const row = await db
    .selectFrom('indexGuidance')
    .select('guidance')
    .where('generationId', '=', generationId)
    .executeTakeFirst()
  return row === undefined ? noGuidance : row.guidance
}
