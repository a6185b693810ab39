import { type ForgeKind, forges, isForgeKind, type SourceKind } from '../../../../src/contract/code-hosts.ts'
import { say } from '../../../words/say.ts'

const names: Readonly<Record<Exclude<SourceKind, ForgeKind>, string>> = {
  folder: say('Folder on the server'),
  git: say('Git repository'),
  builtin: say('Built-in repository'),
  crawl: say('Crawled site'),
}

export function nameSource(kind: SourceKind): string {
  return isForgeKind(kind) ? forges[kind].label : names[kind]
}
