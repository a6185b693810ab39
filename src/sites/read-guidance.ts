import { cleanText, cutText } from '../content/trees/clean-text.ts'
import { filesBelow } from '../content/routes/site-roots.ts'
import type { FileTree } from '../content/trees/file-tree.ts'
import { readSuiteOf } from '../content/suite/find-suite.ts'
import { FindingList } from '../content/finding-list.ts'
import { readFrontmatterFields, splitFrontmatter } from '../content/markdown/read-frontmatter.ts'
import type { Finding } from '../content/site-page.ts'
import type { AssistantSkill, SiteGuidance } from '../store/sites/index-guidance.ts'
import type { SiteRule } from '../content/finding-rules.ts'

const instructionsPath = /^\.(?:docent|mintlify)\/assistant\.mdx?$/i
const skillPath = /^\.(?:docent|mintlify)\/(?:assistant\/)?skills\/([^/]+)\/skill\.mdx?$/i
/** The skill for other people's agents; the first place wins. */
const ownSkillPaths = [/^\.docent\/skill\.md$/i, /^skill\.md$/i]
const skillName = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

/**
 * Bounds of the text that goes into every prompt, and of a skill that a model may load: about 2,000 and 6,000 tokens of
 * English.
 */
const instructionsCharsMax = 8_000
const skillCharsMax = 24_000
const skillsMax = 20
const descriptionCharsMax = 300

/**
 * Reads the owner's instructions for the assistant: `.docent/assistant.md`, and skills in
 * `.docent/skills/NAME/skill.md`. Files of the same names in `.mintlify/`, where such sites keep them, are the
 * fallback. The tests of the answers come from the suite, and the skill for other people's agents from `skill.md`.
 *
 * Only these files instruct. Pages cannot, because pages may contain other people's text.
 *
 * @param folder The site's folder in the tree.
 */
export async function readGuidance(
  tree: FileTree,
  folder = '',
): Promise<{ guidance: SiteGuidance; findings: Finding[] }> {
  const files = filesBelow(tree.paths, folder)
  const all = [...files.keys()].filter((path) => instructionsPath.test(path) || skillPath.test(path))
  const own = all.filter((path) => path.startsWith('.docent/'))
  const reader = new GuidanceReader()
  const readFile = (path: string) => tree.read(files.get(path) ?? path)
  for (const path of own.length > 0 ? own : all) reader.add(path, new TextDecoder().decode(await readFile(path)))
  const ownSkill = ownSkillPaths.flatMap((pattern) => [...files.keys()].filter((path) => pattern.test(path)))[0]
  if (ownSkill !== undefined) reader.addOwnSkill(ownSkill, new TextDecoder().decode(await readFile(ownSkill)))
  const told = reader.end()
  const { tests, findings } = await readSuiteOf(tree, folder)
  return { guidance: { ...told.guidance, suite: tests }, findings: [...told.findings, ...findings] }
}

class GuidanceReader {
  readonly #findings = new FindingList()
  readonly #skills = new Map<string, AssistantSkill>()
  #instructions = ''
  #ownSkill = ''

  add(path: string, source: string): void {
    const { yaml, body } = splitFrontmatter(cleanText(source))
    const slug = skillPath.exec(path)?.[1]
    if (slug !== undefined) {
      const fields = yaml === null ? {} : readFrontmatterFields(yaml, path, this.#findings)
      this.#addSkill(path, slug, { fields, body })
    } else if (this.#instructions === '') this.#instructions = this.#cut(body, instructionsCharsMax, path)
    else
      this.#report(path, 'assistant-file-repeated', 'Another file already instructs the assistant. Keep one of them.')
  }

  addOwnSkill(path: string, source: string): void {
    const text = this.#cut(cleanText(source), skillCharsMax, path)
    this.#ownSkill = text === '' ? '' : `${text}\n`
  }

  end(): { guidance: Omit<SiteGuidance, 'suite'>; findings: Finding[] } {
    return {
      guidance: { instructions: this.#instructions, skills: [...this.#skills.values()], skill: this.#ownSkill },
      findings: this.#findings.list(),
    }
  }

  #addSkill(path: string, slug: string, { fields, body }: { fields: Readonly<Record<string, unknown>>; body: string }) {
    const [name, description] = [readWords(fields['name']), readWords(fields['description'])]
    const fault = this.#findFault(slug, description)
    if (fault !== null) return this.#report(path, 'assistant-skill-unusable', fault)
    const title = name === '' || name === slug ? '' : `${name}: `
    this.#skills.set(slug, {
      name: slug,
      description: cutText(title + description, descriptionCharsMax),
      body: this.#cut(body, skillCharsMax, path),
    })
  }

  #findFault(slug: string, description: string): string | null {
    if (!skillName.test(slug)) return 'The folder name of a skill may contain only a-z, 0-9 and hyphens. Rename it.'
    if (description === '') return 'A skill needs a description in its frontmatter that says when to use it. Add one.'
    if (this.#skills.has(slug)) return `Another skill is also named ${slug}. Rename one of them.`
    return this.#skills.size < skillsMax ? null : `A site has at most ${skillsMax} skills. Merge some of them.`
  }

  #cut(text: string, charsMax: number, path: string): string {
    const trimmed = text.trim()
    if (trimmed.length > charsMax) {
      this.#report(path, 'assistant-file-too-long', `Only its first ${charsMax} characters are used. Shorten it.`)
    }
    return cutText(trimmed, charsMax)
  }

  #report(file: string, rule: SiteRule, message: string): void {
    this.#findings.add({ file, line: null, rule, message })
  }
}

function readWords(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : ''
}
