import { memorySkillFiles, type SkillCatalog, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import type { SiteSkill } from '../../sites/site-skill.ts'

const catalogs = new WeakMap<SiteSkill, Promise<SkillCatalog>>()

/** The skill of a site as the skills extension serves it, below `skill://{slug}/`. */
export function findSkillCatalog(slug: string, skill: SiteSkill): Promise<SkillCatalog> {
  const known = catalogs.get(skill)
  if (known !== undefined) return known
  const files = memorySkillFiles({ [`${skill.name}/SKILL.md`]: skill.text })
  const catalog = SkillsExtension.load(files, {
    prefix: slug,
    strict: true,
    cacheHint: { ttlMs: 60_000, cacheScope: 'public' },
  })
  catalogs.set(skill, catalog)
  return catalog
}
