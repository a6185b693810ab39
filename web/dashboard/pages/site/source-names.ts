import { type ForgeKind, forges, isForgeKind, type SourceKind } from '../../../../src/contract/code-hosts.ts'

const names: Readonly<Record<Exclude<SourceKind, ForgeKind>, string>> = {
  folder: 'Folder on the server',
  git: 'Git repository',
  builtin: 'Built-in repository',
  crawl: 'Crawled site',
}

export function nameSource(kind: SourceKind): string {
  return isForgeKind(kind) ? forges[kind].label : names[kind]
}
