import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of a site's repository that hold its pages, most specific first. */
const roots = ['docs/en', 'apps/docs', 'content', 'docs']
const configurations = ['docs.json', 'mint.json', 'mkdocs.yml', 'astro.config.mjs', '.vitepress']

/** The sites in a folder: repositories, unpacked. */
export function listBenchSites(sets: string): { name: string; folder: string; root: string }[] {
  const names = readdirSync(sets).filter((name) => statSync(join(sets, name)).isDirectory())
  return names.map((name) => {
    const folder = join(sets, name)
    const isSite = configurations.some((file) => existsSync(join(folder, file)))
    return { name, folder, root: isSite ? '' : (roots.find((root) => existsSync(join(folder, root))) ?? '') }
  })
}
