import type { SiteResource } from '../../../../src/contract/admin.ts'

export const sourceNames: Readonly<Record<SiteResource['source']['kind'], string>> = {
  folder: 'Folder on the server',
  git: 'Git repository',
  builtin: 'Built-in repository',
  crawl: 'Crawled site',
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
}

/** Whether the repository is on a code host that takes pull requests and sends webhooks. */
export function isOnForge(kind: SiteResource['source']['kind']): boolean {
  return kind === 'github' || kind === 'gitlab' || kind === 'gitea'
}
